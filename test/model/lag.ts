/** How far a busy machine sets this process back: nobody's answer can be judged faster than its judge. */
const BEAT_MS = 20;
const KEPT_BEATS = 500;

export class Lag {
  readonly #beats: { readonly atMs: number; readonly lagMs: number }[] = [];
  #lastMs = Date.now();

  constructor() {
    setInterval(() => this.#beat(), BEAT_MS).unref();
  }

  /** The longest time that a beat was late since this instant. */
  since(fromMs: number): number {
    this.#beat();
    return Math.max(0, ...this.#beats.filter(({ atMs }) => atMs >= fromMs).map(({ lagMs }) => lagMs));
  }

  #beat(): void {
    const atMs = Date.now();
    this.#beats.push({ atMs, lagMs: Math.max(0, atMs - this.#lastMs - BEAT_MS) });
    this.#lastMs = atMs;
    if (this.#beats.length > KEPT_BEATS) this.#beats.shift();
  }
}
