import { scanKeys } from '../redis/key-scan.ts';
import type { MemberToken } from './keys.ts';
import type { Store } from './store.ts';

/** One step of the search through all keys: what it met of the member. */
export interface MemberPage {
  /** The IDs of its calculations; one may come again, and may have been written since it came first. */
  readonly calculationIds: readonly string[];
  /** The IDs of those that no earlier page had. */
  readonly fresh: readonly string[];
  /** Its other keys, by the hash tag: also those that only an older or newer version knows. One may come again. */
  readonly others: readonly string[];
}

/**
 * Finds everything of a member by one search through all keys, and in it the calculations: those with a record and those of which only the
 * answer is left. As with SCAN, a key that is written meanwhile may be missing. Throws `StoreUnavailable`.
 */
export async function* scanCalculations(store: Store, member: MemberToken): AsyncGenerator<MemberPage> {
  const prefixes = [store.keys.calculation(member, ''), store.keys.answer(member, '')];
  const found = new Set<string>();
  for await (const page of scanKeys(store.connection, store.keys.everythingOf(member))) {
    const [ids, others] = [new Set<string>(), [] as string[]];
    for (const key of page.keys) {
      const prefix = prefixes.find((each) => key.startsWith(each));
      if (prefix === undefined) others.push(key);
      else ids.add(key.slice(prefix.length));
    }
    const calculationIds = [...ids];
    const fresh = calculationIds.filter((id) => !found.has(id));
    for (const calculationId of fresh) found.add(calculationId);
    yield { calculationIds, fresh, others };
  }
}
