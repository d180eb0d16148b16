/** The results of reloads of configuration and secrets since the start. */
export class ReloadRecord {
  succeeded = 0;
  refused = 0;
  /** True from a refused reload until one succeeds: the file on disk differs from the configuration in force. */
  isLastRefused = false;
  /** Milliseconds since the epoch. The start counts too, because it loaded a configuration. */
  lastSuccessMs: number;

  constructor(nowMs: number = Date.now()) {
    this.lastSuccessMs = nowMs;
  }

  /** Records the outcome of a reload. */
  note(isSuccess: boolean): void {
    this.isLastRefused = !isSuccess;
    if (isSuccess) {
      this.succeeded += 1;
      this.lastSuccessMs = Date.now();
    } else this.refused += 1;
  }
}
