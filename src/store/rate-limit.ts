import { runScript } from './scripts.ts';
import type { Store } from './store.ts';

/** Requests per second sustained and at once, per environment, across all processes (interface, section 8). */
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

/** Calls of one turn of the event loop that want a token, and the one command that will ask for all of them. */
interface Turn {
  wanted: number;
  readonly reply: Promise<[granted: number, waitUs: number, redisNowMs: number]>;
}

const turns = new WeakMap<Store, Map<CallKind, Turn>>();

/** Takes one token of the environment's bucket. Calls of one kind in one turn of the event loop share a command. */
export async function takeToken(store: Store, limit: RateLimit, kind: CallKind): Promise<TokenOutcome> {
  const turn = joinTurn(store, limit, kind);
  const place = turn.wanted;
  turn.wanted += 1;
  const [granted, waitUs, redisNowMs] = await turn.reply;
  const isAllowed = place < granted;
  return { isAllowed, retryAfterSeconds: isAllowed ? 0 : Math.max(1, Math.ceil(waitUs / 1e6)), redisNowMs };
}

function joinTurn(store: Store, limit: RateLimit, kind: CallKind): Turn {
  let kinds = turns.get(store);
  if (!kinds) {
    kinds = new Map();
    turns.set(store, kinds);
  }
  const present = kinds.get(kind);
  if (present) return present;
  const reply = new Promise<Awaited<Turn['reply']>>((resolve, reject) => {
    store.connection.turn.beforeEnd(() => {
      kinds.delete(kind);
      askFor(store, limit, kind, turn.wanted).then(resolve, reject);
    });
  });
  const turn: Turn = { wanted: 0, reply };
  kinds.set(kind, turn);
  return turn;
}

async function askFor(store: Store, limit: RateLimit, kind: CallKind, wanted: number): Promise<Awaited<Turn['reply']>> {
  const intervalUs = 1e6 / limit.sustained;
  const burst = kind === 'sale' ? Math.max(1, Math.floor(limit.burst * SALE_SHARE)) : limit.burst;
  const args = [intervalUs, burst, limit.burst, wanted];
  return (await runScript(store.connection, 'take-token', [store.keys.rate()], args)) as Awaited<Turn['reply']>;
}
