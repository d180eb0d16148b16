import { type Fault, show } from './configuration-error.ts';

/** Finds every repeated name. `namesOf` returns each entry's names with their paths, and what they are unique within if not the whole list. */
export function* findDuplicates<Entry>(
  entries: Iterable<readonly [index: number, entry: Entry]>,
  namesOf: (entry: Entry, index: number) => [name: string, path: string, within?: string][],
): Generator<Fault> {
  const seen = new Map<string, string>();
  for (const [index, entry] of entries) {
    for (const [name, path, within = ''] of namesOf(entry, index)) {
      const key = JSON.stringify([within, name]);
      const first = seen.get(key);
      if (first === undefined) seen.set(key, path);
      else {
        const allowed = `a value other than that of ${first}`;
        yield { path, found: `${show(name)} a second time`, allowed, mentions: first };
      }
    }
  }
}
