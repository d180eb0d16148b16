import { COMMIT_MARGIN_MS } from '@loyalty/contract/limits';
import { StoreUnavailable } from '../redis/failure.ts';
import type { Store } from './store.ts';

/**
 * How long a call waits for a key that all calls share before it goes on without that key. A master that has just died or
 * hangs is noticed after 300 ms, and a call has 400 ms in all.
 */
const PATIENCE_MS = 100;

/**
 * Waits for a command on a key that all calls share (rate limit, lists, streams). On a cluster it lies on one master, and a
 * call whose own keys are on other masters must not wait for it. Throws `StoreUnavailable`.
 */
export async function awaitShared<T>({ connection }: Store, command: Promise<T>): Promise<T> {
  return connection.isCluster ? awaitFor(command, PATIENCE_MS) : command;
}

async function awaitFor<T>(command: Promise<T>, patienceMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    // Whether the command was carried out is not known.
    timer = setTimeout(() => reject(new StoreUnavailable('Redis: a command is late')), patienceMs);
  });
  try {
    return await Promise.race([command, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The reply of a command on a shared key; undefined where its master of a cluster is away, without which the call goes on.
 * Throws `StoreUnavailable` where there is one server.
 */
export async function awaitIfThere<T>(store: Store, command: Promise<T>): Promise<T | undefined> {
  try {
    return await awaitShared(store, command);
  } catch (error) {
    if (error instanceof StoreUnavailable && store.connection.isCluster) return undefined;
    throw error;
  }
}

/** What is left of the margin after a commit is shared: one half for such steps, the other one for the answer's way. */
const ANSWER_MS = COMMIT_MARGIN_MS / 2;

/**
 * Waits for a step that somebody else completes if it fails, so that its call needs no success of it: for no longer than the call
 * has time, which `remainingMs` says once the step has begun; without it, for as long as that takes. Undefined when the step
 * failed or is late.
 */
export function awaitSpare<T>(
  { connection }: Store,
  step: Promise<T>,
  remainingMs?: () => number,
): Promise<T | undefined> {
  const spare = connection.tolerate(step);
  return remainingMs ? connection.tolerate(awaitFor(spare, Math.max(0, remainingMs() - ANSWER_MS))) : spare;
}

/**
 * Writes to one of several keys that serve as well, beginning with the first; the next one is taken while the master of a
 * cluster that has it is away. Throws the first key's `StoreUnavailable` when none can be written.
 */
export async function writeToAny(
  store: Store,
  keys: readonly string[],
  write: (key: string) => Promise<unknown>,
): Promise<void> {
  if (!store.connection.isCluster) {
    await write(keys[0] as string);
    return;
  }
  let failure: unknown;
  for (const key of keys) {
    try {
      await awaitShared(store, write(key));
      return;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      failure ??= error;
    }
  }
  throw failure;
}
