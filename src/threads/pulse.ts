/**
 * Signs of life that a thread stuck in a loop cannot give: every thread counts up a cell of shared memory, named by its
 * thread id, from a timer of its own.
 */

const CELLS = 4096;
const BEAT_MS = 100;

/** A thread silent for this long is stuck in a loop: no basket takes a hundredth of it. */
const STUCK_MS = 2000;
/** A thread may take this long to load its code and beat for the first time. */
const START_MS = 15_000;

/** Shared memory for the pulses of one process' threads. */
export function createPulseMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(CELLS * Int32Array.BYTES_PER_ELEMENT);
}

/** In a thread: starts its pulse. */
export function startPulse(memory: SharedArrayBuffer, threadId: number): void {
  const cells = new Int32Array(memory);
  const cell = threadId % CELLS;
  Atomics.store(cells, cell, 1);
  setInterval(() => Atomics.add(cells, cell, 1), BEAT_MS).unref();
}

/** In the process: tells which threads have been silent for too long. */
export class PulseWatch {
  readonly #cells: Int32Array;
  readonly #seen = new Map<number, { beat: number; sinceMs: number }>();

  constructor(memory: SharedArrayBuffer) {
    this.#cells = new Int32Array(memory);
  }

  /** True when a thread has been silent for too long. Asked regularly for every thread, with one clock's `nowMs`. */
  isStuck(threadId: number, nowMs: number): boolean {
    const beat = Atomics.load(this.#cells, threadId % CELLS);
    const last = this.#seen.get(threadId);
    if (last?.beat === beat) return nowMs - last.sinceMs > (beat === 0 ? START_MS : STUCK_MS);
    this.#seen.set(threadId, { beat, sinceMs: nowMs });
    return false;
  }

  /** Forgets threads that have ended; a cell may get a new owner. */
  forgetAllBut(threadIds: ReadonlySet<number>): void {
    for (const threadId of this.#seen.keys()) {
      if (threadIds.has(threadId)) continue;
      this.#seen.delete(threadId);
      Atomics.store(this.#cells, threadId % CELLS, 0);
    }
  }
}
