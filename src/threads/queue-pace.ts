import { monotonicMs } from '../telemetry/stopwatch.ts';

/** A call may spend this share of the time that it has left in waiting and work of threads; the rest is for its commit and for error. */
const SHARE = 0.5;
/** The weight of the newest call in what a call takes. */
const WEIGHT = 0.1;

/**
 * How fast the threads end calls. In a queue that is too long each call begins when its time is nearly over and ends too late:
 * all work is done in vain. So a call that would wait too long is refused at once, and those before it end in time.
 */
export class QueuePace {
  /** As many calls may always be in threads, so that something is known of the pace. */
  readonly #least: number;
  #waiting = 0;
  #sinceMs = 0;
  #isBusy = false;
  /** Milliseconds between the ends of two calls while others waited. */
  #msPerCall = 0;

  constructor(least: number) {
    this.#least = least;
  }

  /** True when a call with so many milliseconds left would end in time. */
  hasTime(leftMs: number): boolean {
    return this.#waiting < this.#least || (this.#waiting + 1) * this.#msPerCall <= leftMs * SHARE;
  }

  async observe<Result>(run: () => Promise<Result>): Promise<Result> {
    this.begin(monotonicMs());
    try {
      return await run();
    } finally {
      this.end(monotonicMs());
    }
  }

  begin(nowMs: number): void {
    if (this.#waiting === 0) [this.#sinceMs, this.#isBusy] = [nowMs, false];
    this.#waiting += 1;
  }

  end(nowMs: number): void {
    this.#waiting -= 1;
    const tookMs = nowMs - this.#sinceMs;
    if (this.#isBusy) this.#msPerCall += WEIGHT * (tookMs - this.#msPerCall);
    // A call that was alone has waited for its way there and back too: threads take no longer than that.
    else this.#msPerCall = Math.min(this.#msPerCall, tookMs);
    [this.#sinceMs, this.#isBusy] = [nowMs, this.#waiting > 0];
  }
}
