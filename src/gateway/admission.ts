import type { CallKind } from '../store/tokens.ts';

/**
 * Admission by an adaptive limit on the calls in flight (additive increase, multiplicative decrease). By Little's law
 * the latency of accepted calls is calls in flight ÷ throughput, so limiting the calls in flight keeps the latency
 * inside its budget at any offered load. A call above the limit is refused before anything is hashed or asked of Redis.
 * A call is in flight from its last byte on; `uploads.ts` bounds the bodies that are still arriving. A call that finds no
 * place when its head has arrived is refused then, and its body is neither kept nor copied.
 */

/** How often the limit is judged and moved. */
const WINDOW_MS = 100;
/**
 * So many calls are let in at once: sale events always, baskets unless the event loop is crowded or has just been. A burst of 100
 * calls is a busy shop and no overload on any machine that can serve one.
 */
const BURST_LIMIT = 100;
/**
 * The lowest limit of baskets while the event loop is crowded. Afterwards it rises step by step while baskets are still refused; a
 * window without refusals lets a burst in again.
 */
const MIN_CROWDED_LIMIT = 30;
const MAX_LIMIT = 2000;
const INITIAL_LIMIT = 400;
/** The share of the p95 budget that a call may spend inside the service; the rest is for queues that we cannot see. */
const TARGET_SHARE = 0.5;
/**
 * The event loop is crowded when baskets are refused while it has no time left. Then no more are in flight than it ends in this
 * share of the p95 budget. All of them take turns on it, and a refusal waits for a turn too: a long queue gains nothing, since as
 * many calls are served with a short one. Where calls wait for Redis instead, a short queue would serve fewer of them.
 */
const CROWDED_SHARE = 0.2;
/** The event loop has no time left when it is busy for so much of a window. */
const BUSY_SHARE = 0.9;
/** Windows with fewer calls say too little about how many the event loop could end. */
const LEAST_CALLS = 20;
/** The window is a breach when more than this share of its calls took longer than the target: the definition of p95. */
const BREACH_SHARE = 0.05;
const DECREASE = 0.85;
const INCREASE_SHARE = 0.03;
/** Sale events have this share of the limit beside the baskets' own, or a burst where that is more. No guest waits for them. */
const SALE_SHARE = 0.5;

/** What is known of a window when it ends. */
interface WindowFigures {
  readonly elapsedMs: number;
  /** The share of it in which the event loop was busy. */
  readonly utilization: number;
  /** Authentic calls that ended, and how many of them took longer than the target. */
  readonly finished: number;
  readonly aboveTarget: number;
  /** A basket was shed. */
  readonly isLimitReached: boolean;
  /** Callers that failed to authenticate took time of the window, so it says nothing about authentic calls. */
  readonly hasStrangers: boolean;
}

interface Limits {
  /** Of the baskets in flight. */
  readonly limit: number;
  /**
   * The limit while it is not reached: no more than the event loop ends within the p95 budget. What a window said of that is
   * forgotten by and by, because the event loop may have been busy with strangers or stood still.
   */
  readonly usual: number;
}

/** The state of admission, for metrics and logs. */
export interface AdmissionState {
  readonly limit: number;
  readonly inFlight: number;
  /** Calls refused since the start. */
  readonly shed: number;
}

export class Admission {
  readonly #p95BudgetMs: () => number;
  readonly #onShedding: (isShedding: boolean) => void;
  readonly #inFlight: Record<CallKind, number> = { basket: 0, sale: 0 };
  #limits: Limits = { limit: INITIAL_LIMIT, usual: INITIAL_LIMIT };
  #shed = 0;
  #isLimitReached = false;
  #hasStrangers = false;
  #finished = 0;
  #aboveTarget = 0;
  #tickedAtMs = performance.now();
  #loop = performance.eventLoopUtilization();
  readonly #timer: NodeJS.Timeout;

  /** `onShedding` is told after each window whether calls were shed in it. */
  constructor(p95BudgetMs: () => number, onShedding: (isShedding: boolean) => void = () => undefined) {
    this.#p95BudgetMs = p95BudgetMs;
    this.#onShedding = onShedding;
    this.#timer = setInterval(() => this.#tick(performance.now()), WINDOW_MS);
    this.#timer.unref();
  }

  get state(): AdmissionState {
    return { limit: Math.floor(this.#limits.limit), inFlight: this.inFlight, shed: this.#shed };
  }

  get inFlight(): number {
    return this.#inFlight.basket + this.#inFlight.sale;
  }

  /** Moves the limit no more. */
  close(): void {
    clearInterval(this.#timer);
  }

  /** Returns true when the call is admitted; `leave` must follow. Returns false when it is shed. */
  admit(kind: CallKind): boolean {
    if (this.shedIfFull(kind)) return false;
    this.#inFlight[kind] += 1;
    return true;
  }

  /** Sheds a call if no place is free, and returns whether it did. A call that is not shed has no place yet: its body may still be to come. */
  shedIfFull(kind: CallKind): boolean {
    const { limit } = this.#limits;
    const places = kind === 'sale' ? Math.max(BURST_LIMIT, limit * SALE_SHARE) : limit;
    if (this.#inFlight[kind] + 1 <= places) return false;
    this.#isLimitReached ||= kind === 'basket';
    this.#shed += 1;
    return true;
  }

  /**
   * Ends an admitted call that took `durationMs`. Pass undefined for a caller that failed to authenticate: it is
   * refused in microseconds, and enough such calls would hide that the authentic ones wait.
   */
  leave(kind: CallKind, durationMs: number | undefined): void {
    this.#inFlight[kind] -= 1;
    if (durationMs === undefined) {
      this.#hasStrangers = true;
      return;
    }
    this.#finished += 1;
    if (durationMs > this.#p95BudgetMs() * TARGET_SHARE) this.#aboveTarget += 1;
  }

  /** Moves the limit by the last window's figures. */
  #tick(nowMs: number): void {
    const loop = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(loop, this.#loop);
    const figures = {
      elapsedMs: nowMs - this.#tickedAtMs,
      utilization,
      finished: this.#finished,
      aboveTarget: this.#aboveTarget,
      isLimitReached: this.#isLimitReached,
      hasStrangers: this.#hasStrangers,
    };
    this.#limits = nextLimits(this.#limits, figures, this.#p95BudgetMs());
    this.#onShedding(this.#isLimitReached);
    this.#loop = loop;
    [this.#finished, this.#aboveTarget, this.#isLimitReached, this.#hasStrangers] = [0, 0, false, false];
    this.#tickedAtMs = nowMs;
  }
}

function nextLimits({ limit, usual: before }: Limits, window: WindowFigures, p95BudgetMs: number): Limits {
  const { elapsedMs, utilization, finished, isLimitReached, hasStrangers } = window;
  /** What the event loop could end within the budget. */
  const perBudget = (finished / (elapsedMs * utilization)) * p95BudgetMs;
  const isTelling = finished >= LEAST_CALLS && !hasStrangers;
  const usual = clamp(isTelling ? perBudget : before * (1 + INCREASE_SHARE), BURST_LIMIT, INITIAL_LIMIT);
  const raised = limit + Math.max(1, limit * INCREASE_SHARE);

  const isCrowded = isLimitReached && utilization > BUSY_SHARE;
  if (isCrowded) return { limit: clamp(perBudget * CROWDED_SHARE, MIN_CROWDED_LIMIT, MAX_LIMIT), usual };
  if (isBreach(window, p95BudgetMs * TARGET_SHARE)) return { limit: Math.max(BURST_LIMIT, limit * DECREASE), usual };
  if (isLimitReached) return { limit: Math.min(MAX_LIMIT, raised), usual };
  // Below its first value the limit recovers even when idle; otherwise one stall would make the next burst fail.
  if (limit <= INITIAL_LIMIT) return { limit: clamp(raised, BURST_LIMIT, usual), usual };
  return { limit, usual };
}

/** Whether the p95 of a window was above the target. A late window is itself a breach: calls waited for the event loop too. */
function isBreach({ elapsedMs, finished, aboveTarget }: WindowFigures, targetMs: number): boolean {
  return aboveTarget > finished * BREACH_SHARE || elapsedMs - WINDOW_MS > targetMs;
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
