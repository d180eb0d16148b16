import type { CallKind } from '../store/rate-limit.ts';

/**
 * Admission by an adaptive limit on the calls in flight (additive increase, multiplicative decrease). By Little's law the
 * latency of accepted calls is calls in flight ÷ throughput, so a limit on the one keeps the other inside its budget
 * however much is sent; what does not fit is refused before anything is hashed or asked of Redis. A call is in flight from
 * its last byte on: what is still being sent is the business of `uploads.ts`.
 */

/** The limit is judged, and moved, this often. */
const WINDOW_MS = 100;
/** Never less, of either kind: a burst of a hundred is a busy shop, not an overload, on any machine that can serve one. */
const MIN_LIMIT = 100;
const MAX_LIMIT = 2000;
const INITIAL_LIMIT = 400;
/** Inside the service a call may take this part of the budget's p95; the rest is for queues that we cannot see. */
const TARGET_SHARE = 0.5;
/** More than this part of a window above the target is a breach: that is what p95 means. */
const BREACH_SHARE = 0.05;
const DECREASE = 0.85;
const INCREASE_SHARE = 0.03;
/** Sale events, which nobody waits for, get this part of the limit at most, beside the baskets'. */
const SALE_SHARE = 0.5;

/** What metrics and logs are told. */
export interface AdmissionState {
  readonly limit: number;
  readonly inFlight: number;
  /** Calls refused since the start. */
  readonly shed: number;
}

export class Admission {
  readonly #p95BudgetMs: () => number;
  readonly #inFlight: Record<CallKind, number> = { basket: 0, sale: 0 };
  #limit = INITIAL_LIMIT;
  #shed = 0;
  #isDraining = false;
  #isLimitReached = false;
  #finished = 0;
  #aboveTarget = 0;
  #tickedAtMs = performance.now();
  readonly #timer: NodeJS.Timeout;

  constructor(p95BudgetMs: () => number) {
    this.#p95BudgetMs = p95BudgetMs;
    this.#timer = setInterval(() => this.#tick(performance.now()), WINDOW_MS);
    this.#timer.unref();
  }

  get state(): AdmissionState {
    return { limit: Math.floor(this.#limit), inFlight: this.inFlight, shed: this.#shed };
  }

  get inFlight(): number {
    return this.#inFlight.basket + this.#inFlight.sale;
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** From now on connections end with their answer. */
  startDraining(): void {
    this.#isDraining = true;
    clearInterval(this.#timer);
  }

  /** True when the call is taken in; then `leave` must follow. False: it is shed. */
  enter(kind: CallKind): boolean {
    const limit = kind === 'sale' ? Math.max(MIN_LIMIT, this.#limit * SALE_SHARE) : this.#limit;
    if (this.#inFlight[kind] + 1 > limit) {
      this.#isLimitReached ||= kind === 'basket';
      this.#shed += 1;
      return false;
    }
    this.#inFlight[kind] += 1;
    return true;
  }

  /**
   * A call that was taken in has ended, after `durationMs`. Undefined: it teaches the limit nothing. Whoever proves nothing is
   * refused in microseconds, and enough of them would hide that everybody else waits.
   */
  leave(kind: CallKind, durationMs: number | undefined): void {
    this.#inFlight[kind] -= 1;
    if (durationMs === undefined) return;
    this.#finished += 1;
    if (durationMs > this.#targetMs) this.#aboveTarget += 1;
  }

  get #targetMs(): number {
    return this.#p95BudgetMs() * TARGET_SHARE;
  }

  /** Moves the limit by what the last window showed. A tick that comes late is itself a breach: calls waited for it too. */
  #tick(nowMs: number): void {
    const latenessMs = nowMs - this.#tickedAtMs - WINDOW_MS;
    const isBreach = this.#aboveTarget > this.#finished * BREACH_SHARE || latenessMs > this.#targetMs;
    const raised = this.#limit + Math.max(1, this.#limit * INCREASE_SHARE);
    if (isBreach) this.#limit = Math.max(MIN_LIMIT, this.#limit * DECREASE);
    else if (this.#isLimitReached) this.#limit = Math.min(MAX_LIMIT, raised);
    // A limit that nobody reaches says nothing about what the service could bear, and what slowed it once is over: it goes
    // back to where it began, so that the next burst finds room.
    else if (this.#limit < INITIAL_LIMIT) this.#limit = Math.min(INITIAL_LIMIT, raised);
    [this.#finished, this.#aboveTarget, this.#isLimitReached] = [0, 0, false];
    this.#tickedAtMs = nowMs;
  }
}
