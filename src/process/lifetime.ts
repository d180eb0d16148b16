import type { Logger } from '../telemetry/log.ts';

/**
 * The open parts of a process, in the order of their opening. They are closed in reverse order, after a failed start as
 * well as on a signal.
 */
export class Lifetime {
  readonly #closers: (() => unknown)[] = [];
  /** What is closed that was opened while the process was ending. */
  readonly #late: Promise<void>[] = [];
  #isEnding = false;
  /** A part could not be closed. */
  #hasFailed = false;
  /** Undefined until the log is open, and once it is closed. */
  #log: Logger | undefined;

  /** True once the process was asked to end. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** Adds a part that must be closed before all earlier ones; at once where the process is ending already. */
  add(close: () => unknown): void {
    if (this.#isEnding) this.#late.push(this.#close(close));
    else this.#closers.push(close);
  }

  /**
   * From now on SIGTERM and Ctrl-C end the process, even while it is still starting, and the log says what ended it. The log is a part
   * as well: its last line is `stopped`.
   */
  endOnSignals(log: Logger, closeLog: () => unknown): void {
    this.#log = log;
    this.add(() => {
      log.info('stopped');
      this.#log = undefined;
      return closeLog();
    });
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void this.end(signal));
  }

  /** Closes every part and exits: with 0, or with 1 where a part could not be closed. A second call is ignored. */
  async end(reason: string): Promise<void> {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#log?.info({ signal: reason }, 'draining');
    await this.closeAll();
    await Promise.all(this.#late);
    process.exit(this.#hasFailed ? 1 : 0);
  }

  /** Closes every part, whatever becomes of the others. */
  async closeAll(): Promise<void> {
    for (const close of this.#closers.splice(0).reverse()) await this.#close(close);
  }

  async #close(close: () => unknown): Promise<void> {
    try {
      await close();
    } catch (error) {
      this.#hasFailed = true;
      const { stack } = error as Error;
      if (this.#log) this.#log.error({ fault: stack }, 'a part could not be closed');
      else process.stderr.write(`loyalty: a part could not be closed: ${stack}\n`);
    }
  }
}
