import type { Store } from './store.ts';

/** What people have changed: writes of the administration and imports, in a stream of the last ones. It names no loyalty ID. */

export interface Change {
  /** The name of a token, or of whoever ran a command. */
  readonly who: string;
  /** `write member`, `import members`. */
  readonly action: string;
  /** What the audit log says of it, with pseudonyms of members. */
  readonly facts: Readonly<Record<string, unknown>>;
}

export interface NotedChange extends Change {
  /** By Redis' clock, ms since 1970. */
  readonly atMs: number;
}

/** About 2 MB. */
const MOST_CHANGES = 5_000;
/** Larger facts are left out; the audit log has them. */
const MAX_FACT_CHARACTERS = 2_000;

/** Notes a change. Throws `StoreUnavailable`. */
export async function noteChange({ connection, keys }: Store, { who, action, facts }: Change): Promise<void> {
  const text = JSON.stringify(facts);
  const words = ['who', who, 'action', action, 'facts', text.length > MAX_FACT_CHARACTERS ? '{}' : text];
  await connection.run(keys.changes(), (client, key) => client.xadd(key, 'MAXLEN', '~', MOST_CHANGES, '*', ...words));
}

/** Reads the last changes, newest first. Throws `StoreUnavailable`. */
export async function readChanges({ connection, keys }: Store, most: number): Promise<NotedChange[]> {
  const entries = await connection.run(keys.changes(), (client, key) => client.xrevrange(key, '+', '-', 'COUNT', most));
  return entries.map(([id, words]) => {
    const [, who = '', , action = '', , facts = '{}'] = words;
    return { atMs: Number(id.split('-')[0]), who, action, facts: JSON.parse(facts) as NotedChange['facts'] };
  });
}
