import type { BasketResponse } from '@loyalty/contract/basket-response';
import { HTTP_OK } from '@loyalty/contract/errors';
import type { Latencies } from '../../packages/tools/src/load/latencies.ts';
import { runOpenLoop as runSchedule } from '../../packages/tools/src/load/open-loop.ts';
import { nowUs } from '../../packages/tools/src/load/pacer.ts';
import { Connections } from './connections.ts';
import { OpenLoopRecord, type Phase, type PhaseResult, type Slices } from './record.ts';
import type { Tape, TapeRequest } from './tape.ts';

/** One body in this many is parsed and compared with its request; checking all would make the generator the bottleneck. */
const VERIFIED_ONE_IN = 61;

/** How long to wait for answers after the last request was due; the service's own deadline is far shorter. */
const PATIENCE_MS = 5000;

/** A schedule that is independent of the answers. */
export interface OpenLoad {
  readonly url: string;
  readonly phases: readonly Phase[];
  /** Connections opened before the start, and the most that are opened when all are busy. */
  readonly connections: { readonly least: number; readonly most: number };
  readonly seed: number;
}

export interface OpenResult extends Slices {
  readonly phases: readonly PhaseResult[];
  /** Requests without an answer at the end: the connection ended, or nobody waits any longer. */
  readonly lost: number;
  /** Sampled bodies, and those of them with a wrong ID or wrong sums. */
  readonly verified: number;
  readonly wrongBodies: number;
  /** The generator's own delay in noticing that a request was due, which is contained in every latency above. */
  readonly sendDelay: Latencies;
}

/** Plays a tape by the open loop of `loyalty load`. */
export async function runOpenLoop({ url, phases, seed, ...load }: OpenLoad, tape: Tape): Promise<OpenResult> {
  const connections = await Connections.open(url, load.connections);
  const record = new OpenLoopRecord(phases);
  let [sent, open, answered, verified, wrongBodies] = [0, 0, 0, 0, 0];
  const send = async (request: TapeRequest, dueUs: number, isVerified: boolean): Promise<void> => {
    const answer = await connections.send(request, isVerified);
    open -= 1;
    if (!answer) return record.lost(dueUs);
    answered += 1;
    record.answered(request.kind, answer.status, dueUs, nowUs() - dueUs);
    if (!isVerified || answer.status !== HTTP_OK) return;
    verified += 1;
    if (!isRightBody(answer.body, request)) wrongBodies += 1;
  };
  const sendDelay = await runSchedule({
    parts: phases,
    seed,
    patienceMs: PATIENCE_MS,
    send: (dueUs) => {
      record.sent(dueUs);
      open += 1;
      void send(tape.take(), dueUs, sent % VERIFIED_ONE_IN === 0);
      sent += 1;
    },
    open: () => open,
  });
  connections.close();
  return { ...record.summarize(), lost: sent - answered, verified, wrongBodies, sendDelay: sendDelay.summarize() };
}

const SALE_RESULTS = ['recorded', 'duplicate', 'unknown_calculation'];

/** True when the body of a 200 belongs to its request and its lines add up to its total. */
function isRightBody(body: Buffer, { kind, calculationId }: TapeRequest): boolean {
  try {
    const answer = JSON.parse(body.toString()) as BasketResponse & { result?: string };
    if (kind === 'sale') return SALE_RESULTS.includes(answer.result ?? '');
    if (answer.calculationId !== calculationId) return false;
    if (answer.status !== 'applied') return answer.status === 'unchanged';
    const total = answer.lines.reduce((sum, line) => sum + line.orderLinePrice, 0);
    return answer.lines.length > 0 && total === answer.totals.total;
  } catch {
    return false;
  }
}
