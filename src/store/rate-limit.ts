import { runScript } from './scripts.ts';
import type { Store } from './store.ts';

/** Requests per second sustained and at once, per environment, across all processes (specification, section 8). */
export interface RateLimit {
  readonly sustained: number;
  readonly burst: number;
}

export type CallKind = 'basket' | 'sale';

export interface TokenOutcome {
  readonly isAllowed: boolean;
  /** When a token is there again, whole seconds, at least 1; 0 when the call is allowed. */
  readonly retryAfterSeconds: number;
  /** Redis' clock when it judged, milliseconds. */
  readonly redisNowMs: number;
}

/** A backlog of sale events may drain the bucket only to this part of it, so it never costs a checkout its basket call. */
const SALE_SHARE = 0.5;

/** Takes one token of the environment's bucket. */
export async function takeToken(store: Store, limit: RateLimit, kind: CallKind): Promise<TokenOutcome> {
  const intervalUs = 1e6 / limit.sustained;
  const burst = kind === 'sale' ? Math.max(1, Math.floor(limit.burst * SALE_SHARE)) : limit.burst;
  const reply = await runScript(store.connection, 'take-token', [store.keys.rate()], [intervalUs, burst, limit.burst]);
  const [allowed, waitUs, redisNowMs] = reply as [number, number, number];
  const isAllowed = allowed === 1;
  return { isAllowed, retryAfterSeconds: isAllowed ? 0 : Math.max(1, Math.ceil(waitUs / 1e6)), redisNowMs };
}
