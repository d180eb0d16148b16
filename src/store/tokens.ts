import { BreakerOpen, StoreUnavailable } from '../redis/failure.ts';
import { leaseTokensScript } from './scripts/environment.ts';
import { awaitShared } from './spare-key.ts';
import type { Store } from './store.ts';

/**
 * The rate limit per environment across all processes, in requests per second and in requests at once (interface,
 * section 8).
 */
export interface RateLimit {
  readonly sustained: number;
  readonly burst: number;
}

export type CallKind = 'basket' | 'sale';

export type TokenOutcome =
  | { readonly isAllowed: true }
  /** Whole seconds until a token is available, at least 1. */
  | { readonly isAllowed: false; readonly retryAfterSeconds: number };

type Refused = Extract<TokenOutcome, { isAllowed: false }>;

const ALLOWED: TokenOutcome = { isAllowed: true };

/** The part of the bucket that sale events may drain, from full: a backlog of them leaves the rest for basket calls. */
const SALE_SHARE = 0.5;

/** A lease is meant to last for this long at the pace of the calls before it. */
const LEASE_MS = 100;
/** Leased tokens that nobody has used lapse after this time. */
const LAPSE_MS = 1000;

/** For this long after a refusal a call waits for its token before it asks Redis for anything else. */
const SCARCE_MS = 1000;

/** A bucket that was away is asked again after this time, so that few calls wait for it. */
const AWAY_MS = 300;

/** A process that limited itself within this time says so in readiness and metrics. */
const RECENT_MS = 2000;

/**
 * The tokens that this process has leased of the environment's bucket, for one kind of call. Each is given to one call. When they
 * run low this process asks for as many as the last tenth of a second used, so that a busy process asks rarely and a quiet
 * one leases little that lapses; for sale events it asks for those of calls that wait, and no more. A process that ends loses what it had
 * leased, and no more.
 */
class LeasedTokens {
  readonly #lease: (waiting: number, ahead: number) => Promise<Leased>;
  /** When each token lapses, the oldest first. */
  readonly #tokens: number[] = [];
  /** Until when, by our clock, the bucket has no token: a flood costs Redis one command for every token that comes back. */
  #emptyUntilMs = Number.NEGATIVE_INFINITY;
  readonly #waiting: { resolve: (outcome: TokenOutcome) => void; reject: (error: unknown) => void }[] = [];
  #isAsking = false;
  /** Calls since this process last asked, which was at that time. */
  #used = 0;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  /** What the last lease gave ahead. Where it was nothing, this process does not ask before it is empty. */
  #leaseSize = 0;

  constructor(lease: (waiting: number, ahead: number) => Promise<Leased>) {
    this.#lease = lease;
  }

  /** A token, or the refusal of one: at once where this process knows, after one round trip where it has to ask. */
  take(): TokenOutcome | Promise<TokenOutcome> {
    const nowMs = performance.now();
    this.#used += 1;
    if (this.#takeLeased(nowMs)) {
      if (this.#tokens.length * 2 < this.#leaseSize) this.#ask();
      return ALLOWED;
    }
    if (nowMs < this.#emptyUntilMs) return refusal(this.#emptyUntilMs - nowMs);
    const { promise, resolve, reject } = Promise.withResolvers<TokenOutcome>();
    this.#waiting.push({ resolve, reject });
    this.#ask();
    return promise;
  }

  /** True where there is a token that has not lapsed: it is taken. */
  #takeLeased(nowMs: number): boolean {
    for (let lapsesAtMs = this.#tokens.shift(); lapsesAtMs !== undefined; lapsesAtMs = this.#tokens.shift()) {
      if (nowMs < lapsesAtMs) return true;
    }
    return false;
  }

  /** True while a token may well be refused. */
  get isScarce(): boolean {
    return performance.now() < this.#emptyUntilMs + SCARCE_MS;
  }

  /** Calls of one turn of the event loop share a command. */
  #ask(): void {
    if (this.#isAsking) return;
    this.#isAsking = true;
    queueMicrotask(() => void this.#askNow());
  }

  async #askNow(): Promise<void> {
    const sentMs = performance.now();
    const asking = this.#waiting.splice(0);
    const pace = this.#used / Math.max(1, sentMs - this.#askedAtMs);
    [this.#used, this.#askedAtMs] = [0, sentMs];
    try {
      const { leased, waitMs } = await this.#lease(asking.length, Math.floor(pace * LEASE_MS));
      this.#leaseSize = Math.max(0, leased - asking.length);
      for (const { resolve } of asking.slice(0, leased)) resolve(ALLOWED);
      for (const { resolve } of asking.slice(leased)) resolve(refusal(waitMs));
      // The wait counts from the sending, so that it never ends too late.
      if (leased < asking.length) this.#emptyUntilMs = sentMs + waitMs;
      for (let token = 0; token < this.#leaseSize; token += 1) this.#tokens.push(sentMs + LAPSE_MS);
    } catch (error) {
      for (const { reject } of asking) reject(error);
    }
    this.#isAsking = false;
    while (this.#waiting.length > 0 && this.#takeLeased(performance.now())) this.#waiting.shift()!.resolve(ALLOWED);
    if (this.#waiting.length > 0) this.#ask();
  }
}

interface Leased {
  readonly leased: number;
  readonly waitMs: number;
}

function refusal(waitMs: number): TokenOutcome {
  // A sum of fractions may be a little more than the whole second that it is.
  return { isAllowed: false, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000 - 1e-9)) };
}

/** The rate limit of this process: its leased tokens, and its own bucket while a cluster's bucket is away. */
export class Tokens {
  readonly #store: () => Store;
  readonly #limit: () => RateLimit;
  readonly #leased: Readonly<Record<CallKind, LeasedTokens>>;
  /** The instant of our clock at which the own bucket is full again. */
  #fullAtMs = 0;
  #missedAtMs = Number.NEGATIVE_INFINITY;

  constructor(store: () => Store, limit: () => RateLimit) {
    [this.#store, this.#limit] = [store, limit];
    const leasedOf = (kind: CallKind) => new LeasedTokens((waiting, ahead) => this.#lease(kind, waiting, ahead));
    this.#leased = { basket: leasedOf('basket'), sale: leasedOf('sale') };
  }

  /** Takes a token for a call. Rejects with `StoreUnavailable`. */
  take(kind: CallKind): TokenOutcome | Promise<TokenOutcome> {
    const { connection } = this.#store();
    // A lease that a hanging Redis was asked for holds up nobody who comes later.
    if (!connection.isAvailable) return Promise.reject(new BreakerOpen(`Redis: ${connection.unavailableReason}`));
    return this.#leased[kind].take();
  }

  /**
   * Takes the call's token, and reads: at once where this process has a token, in the same round trip where it has to ask. While tokens
   * are scarce nothing is read before there is one, so that a flood of refused calls costs Redis next to nothing. Throws
   * `StoreUnavailable`.
   */
  async takeAndRead<State>(
    kind: CallKind,
    read: () => Promise<State>,
  ): Promise<Refused | { readonly isAllowed: true; readonly state: State }> {
    const taken = this.take(kind);
    if (!(taken instanceof Promise)) return taken.isAllowed ? { isAllowed: true, state: await read() } : taken;
    const reading = this.#leased[kind].isScarce ? undefined : read();
    // Of a call without a token nobody asks what became of its reads.
    reading?.catch(() => undefined);
    const token = await taken;
    return token.isAllowed ? { isAllowed: true, state: await (reading ?? read()) } : token;
  }

  /** True while this process limits by itself. */
  get isLocal(): boolean {
    return performance.now() - this.#missedAtMs < RECENT_MS;
  }

  /**
   * While a cluster's bucket cannot be reached, this process limits by itself, to the environment's rate: the rate limit never
   * decides whether a basket is priced. Without the only server nothing of a call could be written either.
   */
  async #lease(kind: CallKind, waiting: number, ahead: number): Promise<Leased> {
    const [store, limit] = [this.#store(), this.#limit()];
    const isSale = kind === 'sale';
    const burst = isSale ? Math.max(1, Math.floor(limit.burst * SALE_SHARE)) : limit.burst;
    const wanted = {
      intervalUs: 1e6 / limit.sustained,
      burst,
      capacity: limit.burst,
      waiting,
      ahead: isSale ? 0 : ahead,
    };
    const leaseLocally = () => this.#leaseLocally(1000 / limit.sustained, burst, waiting);
    if (performance.now() - this.#missedAtMs < AWAY_MS) return leaseLocally();
    try {
      const lease = leaseTokensScript(store.connection, { rate: store.keys.rate() }, wanted);
      const { leased, waitUs } = await awaitShared(store, lease);
      return { leased, waitMs: waitUs / 1000 };
    } catch (error) {
      const { connection } = store;
      if (!(error instanceof StoreUnavailable) || !connection.isCluster || !connection.isAvailable) throw error;
      this.#missedAtMs = performance.now();
      return leaseLocally();
    }
  }

  /** The same arithmetic (GCRA) in this process alone. */
  #leaseLocally(intervalMs: number, burst: number, waiting: number): Leased {
    const nowMs = performance.now();
    const fromMs = Math.max(this.#fullAtMs, nowMs);
    const level = Math.floor((nowMs + burst * intervalMs - fromMs) / intervalMs + 1e-9);
    const leased = Math.max(0, Math.min(waiting, level));
    this.#fullAtMs = fromMs + leased * intervalMs;
    return { leased, waitMs: Math.max(0, this.#fullAtMs + intervalMs - (nowMs + burst * intervalMs)) };
  }
}
