const INTERVAL_MS = 500;

/** Shows on standard error how far a long command is: in place on a terminal, not at all elsewhere but at the end. */
export class Progress {
  readonly #unit: string;
  readonly #startMs = performance.now();
  #shownMs = 0;

  constructor(unit: string) {
    this.#unit = unit;
  }

  /** Told how many are done, as often as one likes. */
  show(done: number): void {
    const nowMs = performance.now();
    if (!process.stderr.isTTY || nowMs - this.#shownMs < INTERVAL_MS) return;
    this.#shownMs = nowMs;
    process.stderr.write(`\r\u001b[K${this.#describe(done, nowMs)}`);
  }

  /** The last word: how many, how long, how fast. */
  finish(done: number): void {
    if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
    process.stderr.write(`${this.#describe(done, performance.now())}\n`);
  }

  #describe(done: number, nowMs: number): string {
    const seconds = (nowMs - this.#startMs) / 1000;
    const rate = seconds > 0 ? Math.round(done / seconds) : 0;
    return `${done.toLocaleString('en')} ${this.#unit} in ${seconds.toFixed(1)} s (${rate.toLocaleString('en')}/s)`;
  }
}
