import { orStoreError, scanKeys } from '../redis/key-scan.ts';
import { scanCalculations } from './calculation-scan.ts';
import { completePending } from './calculations.ts';
import { completeDue } from './common-endings.ts';
import type { MemberToken } from './keys.ts';
import { readMerged } from './merged.ts';
import { eraseIndexScript } from './scripts/index-entries.ts';
import type { Store } from './store.ts';
import { keepErasedVouchers } from './vouchers.ts';

/** The result of an erasure. */
export interface Erased {
  /** True when the member was stored. */
  readonly member: boolean;
  /** Calculations whose records and answers were removed. */
  readonly calculations: number;
}

/**
 * Erases all keys of a member: first the member, so that later calls do not find it, with its consumption and holds, then its calculations and
 * answers, each with its index entry, then every other key with its hash tag, and at last the index entries of calls that were never
 * answered, which hold the member too. The hash tag finds what an older or newer version has written as well. The two searches go through all
 * keys, in steps that block Redis for a quarter of a millisecond each. An erasure is rare and may take seconds, while a list of
 * each member's calculations would cost every call two commands. Every command stays in one slot and may be repeated,
 * so running an interrupted erasure again completes it. So does one that stopped because another slot, which has to hear of a
 * sale or a release first, was away. Throws `StoreUnavailable`.
 */
export async function eraseMember(store: Store, member: MemberToken): Promise<Erased> {
  // The loyalty IDs that were merged into this one are of the same person.
  for (const other of (await readMerged(store, member)).keys()) await eraseOne(store, other);
  return eraseOne(store, member);
}

async function eraseOne(store: Store, member: MemberToken): Promise<Erased> {
  const { keys, connection } = store;
  await keepErasedVouchers(store, member);
  const stored = await connection.run((client) => client.unlink(keys.member(member)));
  await connection.run((client) => client.unlink(...Object.values(keys.ofMember(member))));
  let calculations = 0;
  const pagesOfOthers: (readonly string[])[] = [];
  for await (const { calculationIds, fresh, others } of scanCalculations(store, member)) {
    // Before any of them goes, because a release writes into the record of the superseded calculation, which may be the member's too.
    await Promise.all(calculationIds.map((calculationId) => completePending(store, { calculationId, member })));
    await Promise.all(calculationIds.map((calculationId) => eraseCalculation(store, member, calculationId)));
    calculations += fresh.length;
    if (others.length > 0) pagesOfOthers.push(others);
  }
  // After the calculations, because among them are the returns, without which a calculation would be returned once more.
  for (const others of pagesOfOthers) await connection.run((client) => client.unlink(...others));
  await eraseClaims(store, member);
  return { member: stored > 0, calculations };
}

/** A call that claimed its ID and was never answered has left an index entry and no calculation. */
async function eraseClaims({ keys, connection }: Store, member: MemberToken): Promise<void> {
  for await (const page of scanKeys(connection, keys.index('*'))) {
    const read = page.keys.map(async (key) => ({ key, entry: (await page.server.get(key)) ?? '' }));
    const claims = (await orStoreError(Promise.all(read))).filter(({ entry }) => entry.startsWith(`${member} `));
    await Promise.all(claims.map(({ key }) => eraseIndexScript(connection, { index: key }, { member })));
  }
}

/**
 * The index entry is removed first, so that no call finds the calculation any more. Counters of all members then hear of its sale,
 * which nobody could tell them later.
 */
async function eraseCalculation(store: Store, member: MemberToken, calculationId: string): Promise<void> {
  const { keys, connection } = store;
  await eraseIndexScript(connection, { index: keys.index(calculationId) }, { member });
  await completeDue(store, { calculationId, member });
  await connection.run((client) => client.unlink(...Object.values(keys.ofCalculation(member, calculationId))));
}
