import type { Logger } from '../telemetry/log.ts';

/**
 * The open parts of a process, in the order of their opening. They are closed in reverse order, after a failed start as
 * well as on a signal.
 */
export class Lifetime {
  readonly #closers: (() => unknown)[] = [];
  /** What is closed that was opened while the process was ending. */
  readonly #late: unknown[] = [];
  #isEnding = false;
  /** Undefined until the log is open. */
  #log: Logger | undefined;

  /** True once the process was asked to end. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** Adds a part that must be closed before all earlier ones; at once where the process is ending already. */
  add(close: () => unknown): void {
    if (this.#isEnding) this.#late.push(close());
    else this.#closers.push(close);
  }

  /** From now on SIGTERM and Ctrl-C end the process, even while it is still starting, and the log says what ended it. */
  endOnSignals(log: Logger): void {
    this.#log = log;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void this.end(signal));
  }

  /** Closes every part and exits with 0. A second call is ignored. */
  async end(reason: string): Promise<void> {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#log?.info({ signal: reason }, 'draining');
    await this.closeAll();
    await Promise.allSettled(this.#late);
    process.exit(0);
  }

  async closeAll(): Promise<void> {
    for (const close of this.#closers.splice(0).reverse()) await close();
  }
}
