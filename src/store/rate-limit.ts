import { StoreUnavailable } from '../redis/failure.ts';
import { takeLocally } from './local-limit.ts';
import { noteBucketReply } from './redis-clock.ts';
import { runScript } from './scripts.ts';
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

export interface TokenOutcome {
  readonly isAllowed: boolean;
  /** Whole seconds until a token is available, at least 1; 0 when the call is allowed. */
  readonly retryAfterSeconds: number;
  /** Redis' clock at the decision, milliseconds. */
  readonly redisNowMs: number;
}

/** The part of the bucket that sale events may drain, so that a backlog of them leaves tokens for basket calls. */
const SALE_SHARE = 0.5;

/** Calls of one turn of the event loop that want a token, and the reply of the one command for all of them. */
interface Turn {
  wanted: number;
  readonly reply: Promise<Granted>;
}

interface Granted {
  readonly granted: number;
  readonly waitUs: number;
  readonly redisNowMs: number;
  /** False when this process limited the calls by itself. */
  readonly isFromBucket: boolean;
}

const turns = new WeakMap<Store, Map<CallKind, Turn>>();

/**
 * Takes one token of the environment's bucket. Calls of one kind in one turn of the event loop share a command. While the
 * bucket cannot be reached, this process limits by itself: the rate limit never decides whether a basket is priced.
 */
export async function takeToken(store: Store, limit: RateLimit, kind: CallKind): Promise<TokenOutcome> {
  const turn = joinTurn(store, limit, kind);
  const place = turn.wanted;
  turn.wanted += 1;
  const { granted, waitUs, redisNowMs, isFromBucket } = await turn.reply;
  const isAllowed = place < granted;
  if (isFromBucket) noteBucketReply(store.connection, redisNowMs, !isAllowed && kind === 'basket');
  return { isAllowed, retryAfterSeconds: isAllowed ? 0 : retryAfterSeconds(waitUs), redisNowMs };
}

/** The header's value for a wait in microseconds. */
export function retryAfterSeconds(waitUs: number): number {
  return Math.max(1, Math.ceil(waitUs / 1e6));
}

function joinTurn(store: Store, limit: RateLimit, kind: CallKind): Turn {
  let kinds = turns.get(store);
  if (!kinds) {
    kinds = new Map();
    turns.set(store, kinds);
  }
  const present = kinds.get(kind);
  if (present) return present;
  const reply = new Promise<Granted>((resolve, reject) => {
    store.connection.turn.beforeEnd(() => {
      kinds.delete(kind);
      askFor(store, limit, kind, turn.wanted).then(resolve, reject);
    });
  });
  const turn: Turn = { wanted: 0, reply };
  kinds.set(kind, turn);
  return turn;
}

/** Until when, by our clock (`performance.now()`), the bucket has no token for a kind of call. */
const emptyUntilMs = new WeakMap<Store, Map<CallKind, number>>();

/** Notes a refusal of the bucket. Its wait counts from the sending, so that it never ends too late. */
export function noteRefusal(store: Store, kind: CallKind, sentMs: number, waitUs: number): void {
  const kinds = emptyUntilMs.get(store) ?? new Map<CallKind, number>();
  kinds.set(kind, sentMs + waitUs / 1000);
  emptyUntilMs.set(store, kinds);
}

/**
 * The refusal of a call for which the bucket cannot have a token yet, by its last refusal: other calls only make the wait
 * longer. So a flood costs Redis one command for every token that comes back. Undefined when the bucket has to be asked.
 */
export function findKnownRefusal(store: Store, kind: CallKind): TokenOutcome | undefined {
  const waitMs = (emptyUntilMs.get(store)?.get(kind) ?? 0) - performance.now();
  if (waitMs <= 0) return undefined;
  return { isAllowed: false, retryAfterSeconds: retryAfterSeconds(waitMs * 1000), redisNowMs: 0 };
}

async function askFor(store: Store, limit: RateLimit, kind: CallKind, wanted: number): Promise<Granted> {
  const intervalUs = 1e6 / limit.sustained;
  const burst = kind === 'sale' ? Math.max(1, Math.floor(limit.burst * SALE_SHARE)) : limit.burst;
  const args = [intervalUs, burst, limit.burst, wanted];
  const sentMs = performance.now();
  try {
    const reply = await awaitShared(store, runScript(store.connection, 'take-token', [store.keys.rate()], args));
    const [granted, waitUs, redisNowMs] = reply as [number, number, number];
    if (granted < wanted) noteRefusal(store, kind, sentMs, waitUs);
    return { granted, waitUs, redisNowMs, isFromBucket: true };
  } catch (error) {
    const { connection } = store;
    // Without the only server nothing of the call could be written either.
    if (!(error instanceof StoreUnavailable) || !connection.isCluster || !connection.isAvailable) throw error;
    const [granted, waitUs] = takeLocally(connection, limit, burst, wanted);
    // On a cluster each slot is asked for its time (slot-clock.ts).
    return { granted, waitUs, redisNowMs: 0, isFromBucket: false };
  }
}
