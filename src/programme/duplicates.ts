import { type Fault, show } from './configuration-error.ts';

/** Finds every repeated name. `namesOf` returns each entry's names with their paths. */
export function* findDuplicates<Entry>(
  entries: Iterable<readonly [index: number, entry: Entry]>,
  namesOf: (entry: Entry, index: number) => [name: string, path: string][],
): Generator<Fault> {
  const seen = new Map<string, string>();
  for (const [index, entry] of entries) {
    for (const [name, path] of namesOf(entry, index)) {
      const first = seen.get(name);
      if (first === undefined) seen.set(name, path);
      else {
        const allowed = `a value other than that of ${first}`;
        yield { path, found: `${show(name)} a second time`, allowed, mentions: first };
      }
    }
  }
}
