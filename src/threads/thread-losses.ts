/** Counts the threads that ended unexpectedly, by what is there in one look and the next. */
export class ThreadLosses {
  readonly counts = { stuck: 0, ended: 0 };
  #seen: ReadonlySet<number> = new Set();
  /** Threads that were ended as stuck since the last look. */
  #stuck = 0;

  /** Threads that a reload has replaced are no loss. */
  forgetSeen(): void {
    this.#seen = new Set();
  }

  look(alive: ReadonlySet<number>): void {
    const gone = [...this.#seen].filter((threadId) => !alive.has(threadId)).length;
    const stuck = Math.min(gone, this.#stuck);
    this.counts.stuck += stuck;
    this.counts.ended += gone - stuck;
    [this.#seen, this.#stuck] = [alive, 0];
  }

  noteStuck(threads: number): void {
    this.#stuck += threads;
  }
}
