/** Erases a line of a terminal, to draw it again. */
const ERASE_LINE = '\r\u001b[K';
const INTERVAL_MS = 500;

/**
 * Shows the progress of a long command on standard error: continuously in place on a terminal, elsewhere only at the
 * end.
 */
export class Progress {
  readonly #unit: string;
  readonly #startMs = performance.now();
  #firstShare: number | undefined;
  #shownMs = 0;

  constructor(unit: string) {
    this.#unit = unit;
  }

  /**
   * Shows the number done; it may be called at any rate. With `share`, from 0 to 1, the share and the remaining time are
   * shown too.
   */
  show(done: number, share?: number): void {
    const nowMs = performance.now();
    this.#firstShare ??= share;
    if (!process.stderr.isTTY || nowMs - this.#shownMs < INTERVAL_MS) return;
    this.#shownMs = nowMs;
    const line = this.#describe(done, nowMs);
    process.stderr.write(`${ERASE_LINE}${share === undefined ? line : this.#describeShare(line, share, nowMs)}`);
  }

  /** Shows the final line: number, duration and rate. */
  finish(done: number): void {
    if (process.stderr.isTTY) process.stderr.write(ERASE_LINE);
    process.stderr.write(`${this.#describe(done, performance.now())}\n`);
  }

  #describe(done: number, nowMs: number): string {
    const seconds = (nowMs - this.#startMs) / 1000;
    const rate = seconds > 0 ? Math.round(done / seconds) : 0;
    return `${done.toLocaleString('en')} ${this.#unit} in ${seconds.toFixed(1)} s (${rate.toLocaleString('en')}/s)`;
  }

  /** Estimates the remaining time from this run's own progress; a share done by an earlier run does not count. */
  #describeShare(line: string, share: number, nowMs: number): string {
    const gained = share - (this.#firstShare ?? 0);
    const left = gained > 0 ? `, ${Math.ceil((((nowMs - this.#startMs) / 1000) * (1 - share)) / gained)} s left` : '';
    return `${Math.floor(share * 100)} %  ${line}${left}`;
  }
}
