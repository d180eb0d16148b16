import { runOpenLoop as runSchedule } from '../../packages/tools/src/load/open-loop.ts';
import { nowUs } from '../../packages/tools/src/load/pacer.ts';
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

/** A request and the instant from which it is timed. */
interface Due {
  readonly index: number;
  readonly dueUs: number;
}

/**
 * Plays a tape by the open loop of `loyalty load`, over raw connections: undici takes 30 to 40 µs of CPU a request, these 12, and
 * the generator shares the machine with what it measures.
 */
export async function runOpenLoop(load: OpenLoad, tape: Tape, from: number): Promise<OpenResult & { played: number }> {
  const record = new OpenLoopRecord(load.phases);
  const faults = { broken: 0, unanswered: 0, wrongBodies: 0 };
  const waiting = new Queue<Due>();
  const lateBefore = tape.preparedLate;
  let [next, answered, verified] = [from, 0, 0];

  const connections = new Connections(Number(new URL(load.url).port), tape.longest, load.connections.most, () => {
    const first = waiting.shift();
    if (first && !send(first)) waiting.push(first);
  });

  const send = ({ index, dueUs }: Due): boolean => {
    const connection = connections.take();
    if (!connection) return false;
    const isVerified = index % VERIFIED_ONE_IN === 0;
    const onAnswer = (answer: RawAnswer | undefined): void => {
      answered += 1;
      if (!answer) {
        faults.broken += 1;
        return record.lost(dueUs);
      }
      const kind = tape.classOf(index);
      record.answered(kind, answer, dueUs, nowUs() - dueUs);
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

  await connections.open(load.connections.least);
  const sendDelay = await runSchedule({
    parts: load.phases,
    seed: load.seed,
    patienceMs: PATIENCE_MS,
    send: (dueUs) => {
      record.sent(dueUs);
      const due = { index: next, dueUs };
      next += 1;
      if (waiting.length > 0 || !send(due)) waiting.push(due);
    },
    onSent: () => connections.reserve(waiting.length),
    open: () => next - from - answered,
  });
  faults.unanswered = next - from - answered;
  connections.close();
  return {
    ...record.summarize(),
    faults,
    sendDelay: sendDelay.summarize(),
    connections: connections.highest,
    preparedLate: tape.preparedLate - lateBefore,
    verified,
    played: next - from,
  };
}
