import { LatencyHistogram } from '../../packages/tools/src/load/latencies.ts';
import { createSchedule, nowUs, startPacer } from '../../packages/tools/src/load/pacer.ts';
import { dueInstants, partEndsUs } from '../../packages/tools/src/load/schedule.ts';
import type { Tape } from '../load/tape.ts';
import type { RawAnswer } from './connection.ts';
import { Connections } from './connections.ts';
import { OpenLoopRecord } from './open-loop-record.ts';
import type { OpenLoad, OpenResult } from './protocol.ts';
import { Queue } from './queue.ts';
import { isRightBody } from './verify.ts';

/**
 * One body in this many is parsed and compared with its request; checking all would cost more than the service takes.
 */
const VERIFIED_ONE_IN = 61;

/** How long to wait for answers after the last request was due; the service's own deadline is far shorter. */
const PATIENCE_MS = 5000;

/**
 * Plays a tape by a schedule that is independent of the answers, and times every request from the instant it was due. A
 * request that was sent late because of a stall counts with its whole delay, as a customer at the till would see it (no
 * coordinated omission).
 */
export async function runOpenLoop(load: OpenLoad, tape: Tape, from: number): Promise<OpenResult & { played: number }> {
  const schedule = createSchedule(load.phases, load.seed);
  const due = Float64Array.from(dueInstants(schedule));
  const phaseEndsUs = partEndsUs(schedule);
  const record = new OpenLoopRecord(load.phases, due[0] ?? 0);
  const sendDelay = new LatencyHistogram();
  const faults = { broken: 0, unanswered: 0, wrongBodies: 0 };
  const waiting = new Queue<number>();
  const lateBefore = tape.preparedLate;
  let [next, phase, verified, open] = [0, 0, 0, due.length];

  const connections = new Connections(Number(new URL(load.url).port), tape.longest, load.connections.most, () =>
    sendWaiting(),
  );

  const send = (position: number): boolean => {
    const connection = connections.take();
    if (!connection) return false;
    const index = from + position;
    const dueUs = due[position] as number;
    const isVerified = index % VERIFIED_ONE_IN === 0;
    const onAnswer = (answer: RawAnswer | undefined): void => {
      open -= 1;
      if (!answer) {
        faults.broken += 1;
        return record.lost(dueUs);
      }
      const kind = tape.classOf(index);
      record.answered(phaseOf(phaseEndsUs, dueUs), kind, answer, dueUs, nowUs() - dueUs);
      if (isVerified && answer.status === 200) verify(answer, index, kind === 'sale');
      connections.release(connection);
    };
    connection.send((target) => tape.writeRequest(index, target), isVerified, onAnswer);
    return true;
  };

  const verify = ({ body }: RawAnswer, index: number, isSale: boolean): void => {
    verified += 1;
    if (!body || !isRightBody(body, tape.calculationIdOf(index), isSale)) faults.wrongBodies += 1;
  };

  const sendWaiting = (): void => {
    const position = waiting.shift();
    if (position !== undefined && !send(position)) waiting.push(position);
  };

  const sendDue = (): void => {
    const untilUs = nowUs();
    while (next < due.length && (due[next] as number) <= untilUs) {
      while ((due[next] as number) >= (phaseEndsUs[phase] as number)) phase += 1;
      record.sent(phase);
      sendDelay.record(untilUs - (due[next] as number));
      if (waiting.length > 0 || !send(next)) waiting.push(next);
      next += 1;
    }
    connections.reserve(waiting.length);
  };

  await connections.open(load.connections.least);
  const pacer = startPacer(schedule, sendDue);
  await finished(due, () => open);
  await pacer.stop();
  faults.unanswered = open;
  connections.close();
  return {
    ...record.summarize(),
    faults,
    sendDelay: sendDelay.summarize(),
    connections: connections.highest,
    preparedLate: tape.preparedLate - lateBefore,
    verified,
    played: due.length,
  };
}

function phaseOf(phaseEndsUs: readonly number[], dueUs: number): number {
  return phaseEndsUs.findIndex((endUs) => dueUs < endUs);
}

/** Waits until every request is answered, at most for `PATIENCE_MS` after the last was due. */
async function finished(due: Float64Array, openRequests: () => number): Promise<void> {
  const endUs = (due.at(-1) ?? 0) + PATIENCE_MS * 1000;
  while (openRequests() > 0 && nowUs() < endUs) await new Promise((resolve) => setTimeout(resolve, 5));
}
