/**
 * Signs of life from worker threads. Every thread increments a cell of shared memory from a timer, which a thread stuck
 * in a loop cannot do. The cell's index is the thread id modulo `CELLS`.
 */

const CELLS = 4096;
const BEAT_MS = 100;

/** A thread silent for this long is stuck in a loop: no basket takes a hundredth of it. */
const STUCK_MS = 2000;
/**
 * A thread may take this long to load its code, warm up and beat for the first time. On a machine that is starved at a start it takes
 * many seconds, and a thread that is ended for it begins again.
 */
const START_MS = 60_000;
/**
 * The most that one wait between two looks counts. Where the process that looks was itself frozen, or starved, its threads were too,
 * and have had no time to beat again.
 */
const MOST_BETWEEN_LOOKS_MS = 500;

/** Shared memory for the pulses of one process' threads. */
export function createPulseMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(CELLS * Int32Array.BYTES_PER_ELEMENT);
}

/** Starts the pulse of the thread that calls this. */
export function startPulse(memory: SharedArrayBuffer, threadId: number): void {
  const cells = new Int32Array(memory);
  const cell = threadId % CELLS;
  Atomics.store(cells, cell, 1);
  setInterval(() => Atomics.add(cells, cell, 1), BEAT_MS).unref();
}

/** Finds threads that have been silent for too long; used in the process that owns them. */
export class PulseWatch {
  readonly #cells: Int32Array;
  readonly #seen = new Map<number, { beat: number; silentMs: number; lookedMs: number }>();

  constructor(memory: SharedArrayBuffer) {
    this.#cells = new Int32Array(memory);
  }

  /**
   * True when a thread has been silent for too long while the caller ran, who asks regularly for every thread, with `nowMs` of one
   * clock.
   */
  isStuck(threadId: number, nowMs: number): boolean {
    const beat = Atomics.load(this.#cells, threadId % CELLS);
    const last = this.#seen.get(threadId);
    const isSilent = last?.beat === beat;
    const silentMs = isSilent ? last.silentMs + Math.min(nowMs - last.lookedMs, MOST_BETWEEN_LOOKS_MS) : 0;
    this.#seen.set(threadId, { beat, silentMs, lookedMs: nowMs });
    return silentMs > (beat === 0 ? START_MS : STUCK_MS);
  }

  /** Forgets threads that have ended, so that a new thread can use the cell. */
  forgetAllBut(threadIds: ReadonlySet<number>): void {
    for (const threadId of this.#seen.keys()) {
      if (threadIds.has(threadId)) continue;
      this.#seen.delete(threadId);
      Atomics.store(this.#cells, threadId % CELLS, 0);
    }
  }
}
