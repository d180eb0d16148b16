import { setTimeout as sleep } from 'node:timers/promises';
import type { BasketRequest } from '@loyalty/contract/basket-request';
import { HTTP_OK } from '@loyalty/contract/errors';
import type { ListedProduct } from '../../../client/src/added-lines.ts';
import { judgeAnswer } from '../../../client/src/answer.ts';
import { type Answer, BASKET_PATH, type Deployment, SALE_PATH } from './deployment.ts';
import { runOpenLoop } from './open-loop.ts';
import type { LoadArguments } from './options.ts';
import { nowUs } from './pacer.ts';
import { type Ending, SALE_PREFIX, Tally } from './tally.ts';

/** Plays a load against a deployment: by a schedule that answers cannot delay, or as fast as the deployment answers. */

/** One answer in this many is checked against the whole contract; checking all would make this program the bottleneck. */
const VERIFIED_ONE_IN = 16;

/** After the last call was due, answers are awaited for as long as a call may take. */
const LAST_PATIENCE_MS = 4000;
const POLL_MS = 10;

export interface Load {
  readonly deployment: Deployment;
  readonly calls: Generator<BasketRequest, never>;
  readonly given: Pick<LoadArguments, 'rate' | 'duration' | 'connections' | 'sales' | 'seed'>;
  /** Aborted to end early. */
  readonly closing: AbortSignal;
  /** Called often; `share` goes from 0 to 1. */
  readonly onProgress: (answered: number, share: number) => void;
}

/** Plays the load and resolves with what it met. `seconds` is the time it really took. */
export async function play(load: Load): Promise<{ readonly tally: Tally; readonly seconds: number }> {
  const tally = new Tally();
  const startMs = performance.now();
  if (load.given.rate === 'max') await playClosed(load, tally);
  else await playOpen(load, load.given.rate, tally);
  return { tally, seconds: (performance.now() - startMs) / 1000 };
}

/** Times every call from the instant it was due: a call that had to wait counts with its wait (no coordinated omission). */
async function playOpen(load: Load, perSecond: number, tally: Tally): Promise<void> {
  const { closing, onProgress } = load;
  const { duration: seconds, seed } = load.given;
  tally.delay = await runOpenLoop({
    parts: [{ perSecond, seconds }],
    seed,
    closing,
    patienceMs: LAST_PATIENCE_MS,
    send: (dueUs) => void callOnce(load, tally, dueUs),
    onSent: ({ startUs }) => onProgress(tally.answered, Math.min(1, (nowUs() - startUs) / (seconds * 1e6))),
    open: () => tally.open,
  });
  tally.giveUp(nowUs());
}

async function playClosed(load: Load, tally: Tally): Promise<void> {
  const startMs = performance.now();
  const share = (): number => (performance.now() - startMs) / (load.given.duration * 1000);
  const caller = async (): Promise<void> => {
    while (share() < 1 && !load.closing.aborted) {
      const isLost = await callOnce(load, tally, nowUs());
      // A deployment that is away refuses connections at once, and would be asked without a pause.
      if (isLost) await sleep(POLL_MS);
      load.onProgress(tally.answered, Math.min(1, share()));
    }
  };
  await Promise.all(Array.from({ length: load.given.connections }, caller));
}

/** Sends one basket and, where asked for, its sale event. Resolves to true when the basket's answer was lost. */
async function callOnce({ deployment, calls, given }: Load, tally: Tally, dueUs: number): Promise<boolean> {
  const request = calls.next().value;
  const { calculationId } = request;
  const call = tally.begin('', dueUs);
  const answer = await deployment.send(BASKET_PATH, calculationId, request);
  const isInTime = tally.end(call, endingOf(answer), nowUs());
  if (answer.kind === 'lost') return true;
  if (!isInTime || answer.status !== HTTP_OK) return false;
  if (answer.serverMs !== undefined) tally.server.record(answer.serverMs * 1000);
  if (tally.sent % VERIFIED_ONE_IN === 1) verify(request, answer, tally);
  if (!given.sales) return false;
  const saleCall = tally.begin(SALE_PREFIX, nowUs());
  const sale = { calculationId, status: wordOf(answer), transactionId: `load-${calculationId}` };
  tally.end(saleCall, endingOf(await deployment.send(SALE_PATH, calculationId, sale)), nowUs());
  return false;
}

/** Checks an answer as a caller does, but for the prices of added products: a load has no price list to compare with. */
function verify(request: BasketRequest, answer: Extract<Answer, { kind: 'answered' }>, tally: Tally): void {
  const judgement = judgeAnswer(request, answer, (_venueId, productId) => findAddedProduct(answer.body, productId));
  if (judgement.verdict !== 'accepted') tally.countWrong(judgement.detail);
}

function findAddedProduct(body: Buffer, productId: string): ListedProduct | undefined {
  const { lines = [] } = JSON.parse(body.toString()) as { lines?: readonly (ListedProduct & { productId: string })[] };
  return lines.find((line) => line.productId === productId);
}

function endingOf(answer: Answer): Ending {
  if (answer.kind === 'lost') return { name: answer.why, kind: answer.isGivenUp ? 'givenUp' : 'other' };
  const kind = answer.status === HTTP_OK ? 'accepted' : 'other';
  return { name: `${answer.status} ${wordOf(answer)}`.trim(), kind };
}

/** The word by which the body says how the call ended: a status, a result or an error code. */
function wordOf(answer: Answer): string {
  if (answer.kind === 'lost') return '';
  try {
    const body = JSON.parse(answer.body.toString()) as { status?: string; result?: string; error?: { code?: string } };
    return body.status ?? body.result ?? body.error?.code ?? '';
  } catch {
    return 'without JSON';
  }
}
