import { renderBar } from './bar.ts';
import { ERASE_LINE } from './cursor.ts';

const INTERVAL_MS = 500;

/** Shows on standard error how far a long command is: in place on a terminal, not at all elsewhere but at the end. */
export class Progress {
  readonly #unit: string;
  readonly #startMs = performance.now();
  #firstShare: number | undefined;
  #shownMs = 0;

  constructor(unit: string) {
    this.#unit = unit;
  }

  /** Told how many are done, as often as one likes; with `share`, from 0 to 1, there is a bar and the time that is left. */
  show(done: number, share?: number): void {
    const nowMs = performance.now();
    this.#firstShare ??= share;
    if (!process.stderr.isTTY || nowMs - this.#shownMs < INTERVAL_MS) return;
    this.#shownMs = nowMs;
    const line = this.#describe(done, nowMs);
    process.stderr.write(`${ERASE_LINE}${share === undefined ? line : this.#describeShare(line, share, nowMs)}`);
  }

  /** The last word: how many, how long, how fast. */
  finish(done: number): void {
    if (process.stderr.isTTY) process.stderr.write(ERASE_LINE);
    process.stderr.write(`${this.#describe(done, performance.now())}\n`);
  }

  #describe(done: number, nowMs: number): string {
    const seconds = (nowMs - this.#startMs) / 1000;
    const rate = seconds > 0 ? Math.round(done / seconds) : 0;
    return `${done.toLocaleString('en')} ${this.#unit} in ${seconds.toFixed(1)} s (${rate.toLocaleString('en')}/s)`;
  }

  /** What was done before this run, when it goes on where another one ended, says nothing about its pace. */
  #describeShare(line: string, share: number, nowMs: number): string {
    const gained = share - (this.#firstShare ?? 0);
    const left = gained > 0 ? `, ${Math.ceil((((nowMs - this.#startMs) / 1000) * (1 - share)) / gained)} s left` : '';
    return `${renderBar(share)}  ${line}${left}`;
  }
}
