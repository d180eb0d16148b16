import { type IndexEntry, readIndexEntry } from './index-entry.ts';
import type { MemberToken } from './keys.ts';
import type { Store } from './store.ts';
import {
  type AnsweredCalculation,
  isAnswered,
  readRaw,
  type StoredCalculation,
  storedOf,
} from './stored-calculation.ts';

/** The look-up of a calculation by its ID alone. */

/** Reads a calculation. Undefined when its ID was never seen, or was seen longer ago than it is kept. Throws `StoreUnavailable`. */
export async function findCalculation(store: Store, calculationId: string): Promise<StoredCalculation | undefined> {
  const { entry, found } = await lookInSlot(store, calculationId, async (member) => {
    const raw = await readRaw(store, member, calculationId);
    // A sale event may have come before the calculation, of which there is nothing else then.
    return Object.keys(raw).length > 0 ? { raw } : undefined;
  });
  return entry && storedOf(entry.member, calculationId, { ...fieldsOf(entry), ...found?.raw });
}

/** The same of a calculation that was committed. Throws `StoreUnavailable`. */
export async function findAnswered(store: Store, calculationId: string): Promise<AnsweredCalculation | undefined> {
  const stored = await findCalculation(store, calculationId);
  return isAnswered(stored) ? stored : undefined;
}

/** What came before its calculation, as the fields that the record has once it is there. */
function fieldsOf({ tombstone }: IndexEntry): Readonly<Record<string, Buffer>> {
  if (!tombstone) return {};
  return tombstone.kind === 'sale'
    ? { sale: Buffer.from(tombstone.outcome) }
    : { supersededBy: Buffer.from(tombstone.by) };
}

/**
 * Looks for a calculation in the slot to which its entry leads, and once more where the entry leads elsewhere by then: a merge leads it to
 * the new member before the calculation leaves the slot of the old one. `look` returns undefined where there is no calculation. Throws
 * `StoreUnavailable`.
 */
export async function lookInSlot<Found extends object>(
  store: Store,
  calculationId: string,
  look: (member: MemberToken) => Promise<Found | undefined>,
): Promise<{ readonly entry: IndexEntry | undefined; readonly found?: Found & { readonly member: MemberToken } }> {
  let entry = await readIndexEntry(store, calculationId);
  while (entry?.member !== undefined) {
    const { member } = entry;
    const found = await look(member);
    if (found) return { entry, found: { ...found, member } };
    const present = await readIndexEntry(store, calculationId);
    if (present?.member === member) break;
    entry = present;
  }
  return { entry };
}
