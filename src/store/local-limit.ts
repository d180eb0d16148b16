import type { Connection } from '../redis/connection.ts';
import { runScript } from './scripts.ts';
import type { Store } from './store.ts';

/**
 * The rate limit of this process alone, for as long as the environment's bucket cannot be asked: the same arithmetic (GCRA)
 * with this process' share of the limit, so that all processes together keep to it. Without it one dead master of a cluster,
 * the one with the bucket, would refuse every call.
 */
interface Local {
  /** Instant of our clock (`performance.now()`) at which the bucket is full again. */
  fullAtMs: number;
  /** Our clock when the bucket was last missed. */
  missedAtMs: number;
  /** Processes of the environment, as they were last counted. */
  processes: number;
}

const locals = new WeakMap<Connection, Local>();

/** A process that limited itself within this time says so in readiness and metrics. */
const RECENT_MS = 2000;

function localOf(connection: Connection): Local {
  let local = locals.get(connection);
  if (!local) {
    local = { fullAtMs: 0, missedAtMs: Number.NEGATIVE_INFINITY, processes: 1 };
    locals.set(connection, local);
  }
  return local;
}

/** Notes how many processes share the limit. */
export function noteProcessCount(connection: Connection, processes: number): void {
  localOf(connection).processes = Math.max(1, processes);
}

/** A process that has not been noted for this long has ended. */
const LIFETIME_MS = 15_000;

/**
 * Notes this process among those of the environment, and learns how many there are: each limits its calls to its share
 * while the bucket cannot be reached. Throws `StoreUnavailable`, and the last count remains.
 */
export async function countProcesses(store: Store, process: string): Promise<number> {
  const reply = await runScript(store.connection, 'count-processes', [store.keys.processes()], [process, LIFETIME_MS]);
  noteProcessCount(store.connection, reply as number);
  return reply as number;
}

/** The processes that share the limit, while this one limits by itself; undefined while the bucket answers. */
export function localShare(connection: Connection, nowMs = performance.now()): number | undefined {
  const { missedAtMs, processes } = localOf(connection);
  return nowMs - missedAtMs < RECENT_MS ? processes : undefined;
}

/**
 * Takes tokens of this process' share. `burst` is what this kind of call may use of the environment's burst. Returns the
 * calls that get one, and the microseconds until the next token is there.
 */
export function takeLocally(
  connection: Connection,
  { sustained }: { readonly sustained: number },
  burst: number,
  wanted: number,
  nowMs = performance.now(),
): [granted: number, waitUs: number] {
  const local = localOf(connection);
  local.missedAtMs = nowMs;
  const intervalMs = (1000 * local.processes) / sustained;
  // A share of less than one token would refuse every call.
  const capacityMs = intervalMs * Math.max(1, burst / local.processes);
  const fromMs = Math.max(local.fullAtMs, nowMs);
  const free = Math.floor((nowMs + capacityMs - fromMs) / intervalMs + 1e-9);
  const granted = Math.max(0, Math.min(wanted, free));
  local.fullAtMs = fromMs + granted * intervalMs;
  const waitMs = local.fullAtMs + intervalMs - (nowMs + capacityMs);
  return [granted, Math.max(0, waitMs) * 1000];
}
