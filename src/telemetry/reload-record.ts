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

  /** Records a reload that the supervisor refused. */
  refuse(): void {
    this.refused += 1;
    this.isLastRefused = true;
  }

  /** Runs a reload and records its outcome. Throws the reload's error. */
  async run<T>(reload: () => Promise<T>): Promise<T> {
    try {
      const result = await reload();
      this.succeeded += 1;
      this.isLastRefused = false;
      this.lastSuccessMs = Date.now();
      return result;
    } catch (error) {
      this.refuse();
      throw error;
    }
  }
}
