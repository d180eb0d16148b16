import { COMMIT_MARGIN_MS } from '@loyalty/contract/limits';
import { StoreUnavailable } from '../redis/failure.ts';
import type { Store } from './store.ts';

/**
 * How a call goes on while Redis does not answer, or the master of a cluster that has the key of a step:
 *
 *     function         waits for                   then                                                    a bug
 *     awaitShared      100 ms on a cluster         throws                                                  throws
 *     orGoWithout      the same                    undefined on a cluster: the reply is lost; else throws  throws
 *     writeToAny       the same, for each key      the next key is written; throws after the last one      throws
 *     orLeaveUndone    what is left of its call    undefined: somebody else completes the step             is told; undefined
 */

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
export async function orGoWithout<T>(store: Store, command: Promise<T>): Promise<T | undefined> {
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
 * The outcome of a step whose failure is no failure of its call, because somebody else completes it; undefined when it failed or is late. It is
 * waited for no longer than the call has time, which `remainingMs` says once the step has begun; without it, for as long as that takes.
 * That Redis is away is expected. Any other error is a bug, which nobody but the operator may hear of.
 */
export async function orLeaveUndone<T>(
  { connection }: Store,
  step: Promise<T>,
  remainingMs?: () => number,
): Promise<T | undefined> {
  const tried = step.catch((error: Error) => {
    if (!(error instanceof StoreUnavailable)) connection.emit('failedStep', error);
    return undefined;
  });
  if (!remainingMs) return tried;
  return awaitFor(tried, Math.max(0, remainingMs() - ANSWER_MS)).catch(() => undefined);
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
