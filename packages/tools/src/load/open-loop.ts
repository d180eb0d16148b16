import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { LatencyHistogram } from './latencies.ts';
import { dueInstants, nowUs, type Schedule, type SchedulePart } from './pacer.ts';

/** The open loop of `loyalty load` and of the benchmark: requests are sent by a schedule that answers cannot delay. */

/** A schedule starts this long after it was made, so that its thread has started. */
const START_DELAY_US = 250_000;
const POLL_MS = 5;

export interface OpenLoop {
  readonly parts: readonly SchedulePart[];
  readonly seed: number;
  /** Sends a request that was due at `dueUs` (clock of `nowUs`). It is timed from then on: a late one counts with its delay. */
  readonly send: (dueUs: number) => void;
  /** Called after all requests that are due have been sent. */
  readonly onSent?: (schedule: Schedule) => void;
  /** The number of requests without an answer. */
  readonly open: () => number;
  /** How long answers are awaited after the last request was due. */
  readonly patienceMs: number;
  /** Aborted to end early. */
  readonly closing?: AbortSignal;
}

/**
 * Runs the schedule to its end. Resolves with how late this program noticed that requests were due. A thread wakes it: timers
 * of the event loop have a resolution of a millisecond, about half of the measured latency; waiting on a futex has one of some
 * ten microseconds.
 */
export async function runOpenLoop(loop: OpenLoop): Promise<LatencyHistogram> {
  const delay = new LatencyHistogram();
  const schedule = { parts: loop.parts, seed: loop.seed, startUs: nowUs() + START_DELAY_US };
  const instants = dueInstants(schedule);
  const isOver = (): boolean => due.done === true || loop.closing?.aborted === true;
  let due = instants.next();
  const pacer = new Worker(new URL('../../../../workers/pacer.ts', import.meta.url), { workerData: schedule });
  pacer.on('message', () => {
    const untilUs = nowUs();
    for (; !due.done && due.value <= untilUs && !loop.closing?.aborted; due = instants.next()) {
      delay.record(untilUs - due.value);
      loop.send(due.value);
    }
    loop.onSent?.(schedule);
  });
  while (!isOver()) await sleep(POLL_MS);
  await pacer.terminate();
  const endMs = performance.now() + loop.patienceMs;
  while (loop.open() > 0 && performance.now() < endMs) await sleep(POLL_MS);
  return delay;
}
