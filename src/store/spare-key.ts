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
  if (!connection.isCluster) return command;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    // Whether the command was carried out is not known.
    timer = setTimeout(() => reject(new StoreUnavailable('Redis: a shared key is late')), PATIENCE_MS);
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
