import { scanKeys } from '../redis/key-scan.ts';
import type { MemberToken } from './keys.ts';
import type { Store } from './store.ts';

/**
 * Finds the calculations of a member by a search through all keys, each once: those with a record and those of which only the
 * answer is left. As with SCAN, one that is written meanwhile may be missing. Throws `StoreUnavailable`.
 */
export async function* scanCalculations({ connection, keys }: Store, member: MemberToken): AsyncGenerator<string[]> {
  const found = new Set<string>();
  for (const form of [keys.calculation(member, '*'), keys.answer(member, '*')]) {
    const prefix = form.slice(0, -1);
    for await (const page of scanKeys(connection, form)) {
      const calculationIds = page.keys.map((key) => key.slice(prefix.length)).filter((id) => !found.has(id));
      for (const calculationId of calculationIds) found.add(calculationId);
      yield calculationIds;
    }
  }
}
