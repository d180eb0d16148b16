/** What became of reloads of configuration and secrets since the start. */
export class ReloadRecord {
  succeeded = 0;
  refused = 0;
  /** True from a refused reload until one succeeds: the file on disk is not what is in force. */
  isLastRefused = false;
  /** Milliseconds since the epoch; the start counts, for it loaded a configuration. */
  lastSuccessMs: number;

  constructor(nowMs: number = Date.now()) {
    this.lastSuccessMs = nowMs;
  }

  /** Books a reload that was refused elsewhere, before it came here. */
  refuse(): void {
    this.refused += 1;
    this.isLastRefused = true;
  }

  /** Runs a reload and books its outcome. Throws what the reload throws. */
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
