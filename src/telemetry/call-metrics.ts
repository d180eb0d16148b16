import { ERRORS, HTTP_OK } from '@loyalty/contract/errors';
import { UNAVAILABLE_REASONS } from '@loyalty/contract/unavailable';
import { BucketCounts } from './bucket-counts.ts';
import { RollingHistogram } from './rolling-histogram.ts';
import { ALL_PHASES, type Phase, type Phases } from './stopwatch.ts';

/** The code of a call that was answered with 200. */
export const NO_CODE = 'none';

/** The phase of a call that did not end at its deadline. */
export const NO_PHASE = 'none';

/**
 * Events of a calculation, with their names on the live page. Each counter starts at zero, because an alert on an increase would miss a
 * counter's first appearance.
 */
export const EVENTS = {
  answer_applied: 'Baskets answered with a benefit',
  answer_unchanged: 'Baskets answered unchanged',
  answer_member_not_found: 'Baskets of unknown members',
  own_discount_returned: 'Baskets with a returned discount of this service',
  replayed: 'Answers replayed to a repeated call',
  unreplayable: 'Stored answers that could not be replayed: a bug',
  shortage: 'Priced again: another till was faster',
  hold_made: 'Limited benefits reserved',
  hold_consumed: 'Reservations consumed by a sale',
  hold_released: 'Reservations released',
  hold_expired: 'Reservations expired',
  sale_recorded: 'Sales recorded',
  sale_duplicate: 'Repeated sale events',
  sale_unknown_calculation: 'Sale events for unknown calculations',
  sale_late: 'Sales after their reservation had ended',
  over_redeemed_units: 'Units consumed beyond a limit',
  expired: 'Calculations that expired unsold',
  clock_off: 'Baskets whose time is too far from our clock',
  recorded: 'Baskets and sales recorded to the file',
  record_dropped: 'Recordings dropped',
  costs_dropped: 'Sales that the costs by day lack',
  failed_step: 'Steps that failed beside a call: a bug',
} as const satisfies Readonly<Record<string, string>>;

/** The metric that has them. */
export const EVENTS_TOTAL = { name: 'loyalty_events_total', help: 'What happened to calculations, by kind' };

export type CountedEvent = keyof typeof EVENTS;

/** The counted facts of one call. */
export interface ObservedCall {
  readonly route: string;
  /** Among whose durations its own counts: its route, or the reason why it was turned away. */
  readonly latencyOf: string;
  /** 0 when the caller hung up. */
  readonly status: number;
  readonly code: string;
  readonly durationMs: number;
  readonly phases: Phases;
}

/** The figures of one phase of one route; the whole call is the phase `total`. */
export interface PhaseFigures {
  readonly route: string;
  readonly phase: string;
  readonly buckets: BucketCounts;
  readonly lastMinute: RollingHistogram;
}

const TOTAL = 'total';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * Bounds for the offset of a basket's time from Redis' clock. Typical causes are the network, a clock that is never
 * set, a time zone or a wrong date. Five minutes is the signature's own clock window.
 */
const CLOCK_BUCKETS_MS = [
  ...[SECOND_MS, 10 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS],
  ...[HOUR_MS, 2 * HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS],
  ...[DAY_MS, 2 * DAY_MS, 7 * DAY_MS, 30 * DAY_MS, 365 * DAY_MS],
] as const;

/** Bounds for the gap of a choice, in thousandths of what the guest pays. */
const GAP_BUCKETS = [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000] as const;

/** Counts and latencies of calls. Every call is recorded here, so recording is only a few additions. */
export class CallMetrics {
  /** Calls by `route status code`. */
  readonly calls = new Map<string, number>();
  /** By route, then by phase: a combined key would build a new text for every phase of every call. */
  readonly #figures = new Map<string, Map<string, PhaseFigures>>();
  /**
   * Baskets by the distance of `requestedAt` from Redis' clock. There are two histograms, because the sum of a
   * histogram must never fall.
   */
  readonly clockOffsets = { behind: new BucketCounts(CLOCK_BUCKETS_MS), ahead: new BucketCounts(CLOCK_BUCKETS_MS) };
  /** Priced baskets by what another choice of benefits could save, in thousandths of what the guest pays. */
  readonly gaps = new BucketCounts(GAP_BUCKETS);
  /** Calls answered 503, by `reason phase`. */
  readonly unavailable = new Map<string, number>(
    [
      ...UNAVAILABLE_REASONS.filter((reason) => reason !== 'deadline').map((reason) => `${reason} ${NO_PHASE}`),
      ...ALL_PHASES.map((phase) => `deadline ${phase}`),
    ].map((key) => [key, 0]),
  );
  readonly events = new Map((Object.keys(EVENTS) as CountedEvent[]).map((event) => [event, 0]));

  /** Starts the counters of these routes at zero, for every code that they may answer. */
  constructor(routes: readonly string[] = []) {
    for (const route of routes) {
      this.calls.set(`${route} ${HTTP_OK} ${NO_CODE}`, 0);
      for (const [code, { status }] of Object.entries(ERRORS)) this.calls.set(`${route} ${status} ${code}`, 0);
    }
  }

  get figures(): Iterable<PhaseFigures> {
    return [...this.#figures.values()].flatMap((phases) => [...phases.values()]);
  }

  observe(call: ObservedCall): void {
    count(this.calls, `${call.route} ${call.status} ${call.code}`, 1);
    const { latencyOf, phases } = call;
    const figures = this.#figuresOf(latencyOf);
    const nowMs = performance.now();
    record(figures, latencyOf, TOTAL, call.durationMs, nowMs);
    for (const phase in phases) record(figures, latencyOf, phase, phases[phase as Phase]!, nowMs);
  }

  /** Counts what another choice could save of a basket, as a part of what the guest pays. */
  observeGap(ofTotal: number): void {
    this.gaps.record(ofTotal * 1000);
  }

  /** Counts the offset of a basket's time from Redis' clock, above 0 when it is ahead. */
  observeClock(offsetMs: number): void {
    this.clockOffsets[offsetMs > 0 ? 'ahead' : 'behind'].record(Math.abs(offsetMs));
  }

  /** Counts an event, e.g. `replayed`; `amount` is a whole number. */
  add(event: CountedEvent, amount = 1): void {
    if (amount > 0) count(this.events, event, amount);
  }

  /** Counts a call answered 503. `phase` is the one in which its time ran out. */
  addUnavailable(reason: string, phase: string): void {
    count(this.unavailable, `${reason} ${phase}`, 1);
  }

  #figuresOf(route: string): Map<string, PhaseFigures> {
    let figures = this.#figures.get(route);
    if (!figures) {
      figures = new Map();
      this.#figures.set(route, figures);
    }
    return figures;
  }
}

function record(
  figures: Map<string, PhaseFigures>,
  route: string,
  phase: string,
  durationMs: number,
  nowMs: number,
): void {
  let own = figures.get(phase);
  if (!own) {
    own = { route, phase, buckets: new BucketCounts(), lastMinute: new RollingHistogram(nowMs) };
    figures.set(phase, own);
  }
  own.buckets.record(durationMs);
  own.lastMinute.record(durationMs, nowMs);
}

function count<Key extends string>(counts: Map<Key, number>, key: Key, amount: number): void {
  counts.set(key, (counts.get(key) ?? 0) + amount);
}
