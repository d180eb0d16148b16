import type { Store } from '../../src/store/store.ts';

/** What another process does before a command; it knows how many commands there were, with this one. */
export type Meddle = (commands: number) => Promise<unknown> | undefined;

/** A store whose commands others come before. */
export function meddledStore(store: Store, meddle: Meddle): Store {
  const { connection } = store;
  let commands = 0;
  const run = async (...asked: Parameters<typeof connection.run>) => {
    // The key of the pseudonyms is read when it is needed first, which is not the same time in every run.
    if (asked[0] === store.keys.pseudonymKey()) return connection.run(...asked);
    commands += 1;
    await meddle(commands);
    return connection.run(...asked);
  };
  return { ...store, connection: Object.create(connection, { run: { value: run } }) as Store['connection'] };
}
