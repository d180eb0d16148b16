/** A task that takes this long is stuck in a loop, and its thread is ended: no basket takes a tenth of it. */
const STUCK_MS = 2000;
/** The most that one wait between two looks counts: where this process was itself frozen or starved, its threads were too. */
const MOST_BETWEEN_LOOKS_MS = 500;

interface RunningTask {
  readonly number: number;
  readonly abort: AbortController;
  /** For how long a thread has had it; undefined while it waits for one, perhaps for one that is starting. */
  ageMs: number | undefined;
}

/** The tasks of a pool by their numbers, and how those that are stuck are ended. */
export class RunningTasks {
  readonly #tasks = new Map<number, RunningTask>();
  #nextNumber = 0;
  #lookedMs = performance.now();

  /** A new task. Its signal is aborted when it is stuck, which ends its thread. */
  begin(): { readonly number: number; readonly signal: AbortSignal } {
    const task = { number: this.#nextNumber++, abort: new AbortController(), ageMs: undefined };
    this.#tasks.set(task.number, task);
    return { number: task.number, signal: task.abort.signal };
  }

  /** A thread has begun with it. */
  noteBegun(number: number): void {
    const task = this.#tasks.get(number);
    if (task) task.ageMs ??= 0;
  }

  end(number: number): void {
    this.#tasks.delete(number);
  }

  /** Ages the tasks, and ends those that are stuck. Returns how many. */
  endStuck(nowMs: number): number {
    const elapsedMs = Math.min(nowMs - this.#lookedMs, MOST_BETWEEN_LOOKS_MS);
    this.#lookedMs = nowMs;
    const stuck = [...this.#tasks.values()].filter(({ ageMs }) => ageMs !== undefined && ageMs >= STUCK_MS);
    for (const task of this.#tasks.values()) if (task.ageMs !== undefined) task.ageMs += elapsedMs;
    for (const { number, abort } of stuck) {
      this.#tasks.delete(number);
      abort.abort();
    }
    return stuck.length;
  }
}
