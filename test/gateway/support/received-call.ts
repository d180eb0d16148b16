import type { AnswerResult, Door, Opened, RefusalResult, Task } from '../../../src/calls/messages.ts';
import { refuse } from '../../../src/contract/errors.ts';
import { signatureHeader } from '../../../src/contract/signature.ts';
import { Call } from '../../../src/gateway/call.ts';
import { runCall } from '../../../src/gateway/lifecycle.ts';
import type { RequestHead } from '../../../src/gateway/request-head.ts';
import type { CallRecord, LifecycleContext, ReceivedCall } from '../../../src/gateway/steps.ts';
import { type CallKind, noteRefusal } from '../../../src/store/rate-limit.ts';
import type { Store } from '../../../src/store/store.ts';
import { OtherEnd } from './response.ts';

/** A call that has been received, in a service whose work is told to it. */

const SECRET = Buffer.from('a'.repeat(32));
export const KEY = '0f8fad5b-d9cb-469f-a165-70867728950e';
export const DEADLINE_MS = 400;
export const INLINE_BYTES = 100;
export const OPENED = { configuration: 'v1' } as Opened;

export const ANSWER: AnswerResult = {
  ...{ kind: 'answer', body: Buffer.from('{"status":"unchanged"}'), isReplayed: false },
  ...{ facts: { venueId: 'v', status: 'unchanged' }, phases: { price: 2 } },
};
export const REFUSED: RefusalResult = {
  ...{ kind: 'refusal', refusal: refuse('internal_error'), fault: 'a bug' },
  ...{ facts: { phase: 'commit' }, phases: {} },
};

interface Given {
  readonly kind?: CallKind;
  readonly head?: Partial<RequestHead>;
  readonly body?: string;
  /** Parts of the service that differ from the usual ones. */
  readonly context?: Partial<LifecycleContext>;
  readonly usual?: (task: Task, door: Door) => Promise<unknown>;
  readonly looked?: (task: Task) => Promise<unknown>;
}

/** A call of a known till, and what is done with it. */
export function receive({ kind = 'basket', head = {}, body = '{}', context = {}, ...given }: Given = {}) {
  const caller = new OtherEnd();
  const options = {
    isTls: false,
    connection: 'kept',
    detailedAs: 'test',
    trace: undefined,
    docsUrl: undefined,
  } as const;
  const call = new Call(caller.response, undefined, options, () => undefined);
  const record: CallRecord = { route: kind };
  const bytes = new Uint8Array(new TextEncoder().encode(body));
  const signature = signatureHeader(SECRET, Math.floor(Date.now() / 1000), bytes);
  const own = { duplicated: new Set<string>(), signature, idempotencyKey: KEY, contentType: 'application/json' };
  const received = { kind, head: { ...own, ...head } as RequestHead, body: bytes, call, record } as ReceivedCall;
  const [faults, results, tasks]: [string[], unknown[], [string, Task][]] = [[], [], []];
  const nothing = async () => ANSWER;
  const whole: LifecycleContext = {
    store: () => STORE,
    eventLoop: () => ({
      usual: async (task, door) => {
        tasks.push(['usual', task]);
        return (await (given.usual ?? nothing)(task, door)) as AnswerResult;
      },
      looked: async (task) => {
        tasks.push(['looked', task]);
        return (await (given.looked ?? nothing)(task)) as AnswerResult;
      },
    }),
    inlineBytes: INLINE_BYTES,
    runInThread: async (task) => {
      tasks.push([`thread in ${call.stopwatch.runningPhase}`, task]);
      return ANSWER;
    },
    credentials: () => ({ secrets: [SECRET], bearerTokens: [] }),
    rateLimit: () => ({ sustained: 7, burst: 9 }),
    deadlineMs: () => DEADLINE_MS,
    obstacle: () => undefined,
    replay: () => ({ fault: 'nothing is replayed here' }),
    onFault: (_, fault) => faults.push(fault),
    onResult: (result) => results.push(result),
    ...context,
  };
  const code = (): string | undefined => (caller.body === undefined ? undefined : JSON.parse(caller.body).error?.code);
  return {
    run: () => runCall(whole, received),
    context: whole,
    received,
    caller,
    call,
    record,
    faults,
    results,
    tasks,
    code,
  };
}

/** Its bucket is empty, as is known without asking for it. */
const STORE = {} as Store;
export const emptyBucket = (kind: CallKind): void => noteRefusal(STORE, kind, performance.now(), 2.5e6);
