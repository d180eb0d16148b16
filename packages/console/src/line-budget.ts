/** A second has this many lines about what anybody can bring about; those beyond are counted. */
const LINES = 5;
const INTERVAL_MS = 1000;

/** Keeps those who are not known from filling the log: their first lines are written, the others counted together. */
export class LineBudget {
  readonly #writeCount: (count: number) => void;
  #taken = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `writeCount` is called once a second, with how many lines were not written, if there were any. */
  constructor(writeCount: (count: number) => void) {
    this.#writeCount = writeCount;
  }

  /** True if a line may be written now. */
  take(): boolean {
    this.#timer ??= setTimeout(() => this.#settle(), INTERVAL_MS).unref();
    this.#taken += 1;
    return this.#taken <= LINES;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#settle();
  }

  #settle(): void {
    if (this.#taken > LINES) this.#writeCount(this.#taken - LINES);
    this.#taken = 0;
    this.#timer = undefined;
  }
}
