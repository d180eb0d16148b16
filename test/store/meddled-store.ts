/** Stores whose commands another process, or a master that is away, comes between. */
import type { Connection } from '../../src/redis/connection.ts';
import { StoreUnavailable } from '../../src/redis/failure.ts';
import type { Store } from '../../src/store/store.ts';

/** Sends a command on a key, or does something else before it, after it or in its place. */
type Divert = (key: string, send: () => Promise<unknown>) => Promise<unknown>;

export function divertedStore(store: Store, divert: Divert, isCluster = store.connection.isCluster): Store {
  const { connection } = store;
  const run = (key: string, command: never) => divert(key, () => connection.run(key, command));
  const runWithoutKey: Connection['runWithoutKey'] = (command) => connection.runWithoutKey(command);
  const own = {
    run: { value: run },
    runWithoutKey: { value: runWithoutKey },
    isAvailable: { get: () => connection.isAvailable },
    isCluster: { value: isCluster },
  };
  return { ...store, connection: Object.create(connection, own) as Connection };
}

const AWAY = new StoreUnavailable('the master is away');

/** A store that fails the commands on some keys. */
export function failingStore(store: Store, fails: (key: string) => boolean, error: Error = AWAY, isCluster?: boolean) {
  return divertedStore(store, (key, send) => (fails(key) ? Promise.reject(error) : send()), isCluster);
}

/** A store on which something happens once, after the first command on a key. */
export function interruptedStore(store: Store, key: string, happens: () => Promise<unknown>): Store {
  let isOver = false;
  return divertedStore(store, async (own, send) => {
    const reply = await send();
    if (isOver || own !== key) return reply;
    isOver = true;
    await happens();
    return reply;
  });
}

/** A store that loses one of its commands, or the reply to it. */
export function losingStore(store: Store, lost: number, isCarriedOut: boolean) {
  const told = { count: 0 };
  const losing = divertedStore(store, async (_key, send) => {
    told.count += 1;
    if (told.count !== lost) return send();
    if (isCarriedOut) await send();
    throw AWAY;
  });
  return { told, store: losing };
}

/** A store that counts its commands, of one key or of all. */
export function countingStore(store: Store, only?: string) {
  const told = { count: 0 };
  const counting = divertedStore(store, (key, send) => {
    if (only === undefined || key === only) told.count += 1;
    return send();
  });
  return { told, store: counting };
}

/** What another process does before a command; it knows how many commands there were, with this one. */
export type Meddle = (commands: number) => Promise<unknown> | undefined;

/** A store whose commands others come before. */
export function meddledStore(store: Store, meddle: Meddle): Store {
  let commands = 0;
  return divertedStore(store, async (key, send) => {
    // The key of the pseudonyms is read when it is needed first, which is not the same time in every run.
    if (key === store.keys.pseudonymKey()) return send();
    commands += 1;
    await meddle(commands);
    return send();
  });
}
