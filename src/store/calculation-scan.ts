import { scanKeys } from '../redis/key-scan.ts';
import type { MemberToken } from './keys.ts';
import type { Store } from './store.ts';

/** One step of the search: the calculations whose keys it met. */
export interface CalculationPage {
  /** The IDs of all; one may come again, and may have been written since it came first. */
  readonly calculationIds: readonly string[];
  /** The IDs of those that no earlier page had. */
  readonly fresh: readonly string[];
}

/**
 * Finds the calculations of a member by a search through all keys: those with a record and those of which only the
 * answer is left. As with SCAN, one that is written meanwhile may be missing. Throws `StoreUnavailable`.
 */
export async function* scanCalculations(store: Store, member: MemberToken): AsyncGenerator<CalculationPage> {
  const { connection, keys } = store;
  const found = new Set<string>();
  for (const form of [keys.calculation(member, '*'), keys.answer(member, '*')]) {
    const prefix = form.slice(0, -1);
    for await (const page of scanKeys(connection, form)) {
      const calculationIds = page.keys.map((key) => key.slice(prefix.length));
      const fresh = [...new Set(calculationIds)].filter((id) => !found.has(id));
      for (const calculationId of fresh) found.add(calculationId);
      yield { calculationIds, fresh };
    }
  }
}
