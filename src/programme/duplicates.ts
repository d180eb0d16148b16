import { type Fault, show } from './configuration-error.ts';

/** Finds the first repeated name. `namesOf` returns each entry's names with their paths. */
export function findDuplicate<Entry>(
  entries: readonly Entry[],
  namesOf: (entry: Entry, index: number) => [name: string, path: string][],
): Fault | undefined {
  const seen = new Map<string, string>();
  for (const [index, entry] of entries.entries()) {
    for (const [name, path] of namesOf(entry, index)) {
      const first = seen.get(name);
      if (first) return { path, found: `${show(name)} a second time`, allowed: `a value other than that of ${first}` };
      seen.set(name, path);
    }
  }
  return undefined;
}
