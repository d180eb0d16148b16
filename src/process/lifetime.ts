import type { Logger } from '../telemetry/log.ts';

/** What is open, in the order it was opened; closed in reverse, whether the start failed or the process is told to stop. */
export class Lifetime {
  readonly #closers: (() => unknown)[] = [];
  #isEnding = false;

  /** Adds what must be closed before everything that was added earlier. */
  add(close: () => unknown): void {
    this.#closers.push(close);
  }

  /** SIGTERM and Ctrl-C end the process from now on, even while it is still starting. */
  endOnSignals(log: Logger): void {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void this.end(signal, log));
  }

  /** Closes everything and exits with 0. A second call changes nothing. */
  async end(reason: string, log: Logger): Promise<void> {
    if (this.#isEnding) return;
    this.#isEnding = true;
    log.info({ signal: reason }, 'draining');
    await this.closeAll();
    process.exit(0);
  }

  async closeAll(): Promise<void> {
    for (const close of this.#closers.splice(0).reverse()) await close();
  }
}
