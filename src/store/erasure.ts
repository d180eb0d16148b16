import { orStoreError, scanKeys } from '../redis/key-scan.ts';
import { scanCalculations } from './calculation-scan.ts';
import { completeElsewhere } from './completion.ts';
import { appendMemberEvent, eventText } from './events.ts';
import { dueNames, grantKeys } from './grant-events.ts';
import type { MemberToken } from './keys.ts';
import { tellElsewhere } from './member-writes.ts';
import { parseGrants } from './members.ts';
import { readMerged } from './merged.ts';
import { pseudonymOf } from './pseudonyms.ts';
import { eraseIndexScript } from './scripts/index-entries.ts';
import { eraseMemberScript } from './scripts/members.ts';
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
  const wasStored = await eraseStored(store, member);
  let isTold = wasStored;
  await connection.run(keys.member(member), (client) => client.unlink(...Object.values(keys.ofMember(member))));
  let calculations = 0;
  const pagesOfOthers: (readonly string[])[] = [];
  for await (const { calculationIds, fresh, others } of scanCalculations(store, member)) {
    // Before any of them goes, because a release writes into the record of the superseded calculation, which may be the member's too.
    await Promise.all(calculationIds.map((calculationId) => completeElsewhere(store, { calculationId, member })));
    // Nobody was stored under a loyalty ID that only calls have named.
    if (!isTold && fresh.length > 0) await appendMemberEvent(store, member, await erasedEvent(store, member));
    isTold ||= fresh.length > 0;
    await Promise.all(calculationIds.map((calculationId) => eraseCalculation(store, member, calculationId)));
    calculations += fresh.length;
    if (others.length > 0) pagesOfOthers.push(others);
  }
  // After the calculations, because among them are the returns, without which a calculation would be returned once more.
  for (const others of pagesOfOthers) await connection.run(keys.member(member), (client) => client.unlink(...others));
  await eraseClaims(store, member);
  return { member: wasStored, calculations };
}

/** Erases what is stored of a member itself, with its event; on a cluster the event follows. */
async function eraseStored(store: Store, member: MemberToken): Promise<boolean> {
  const { keys, connection, periods } = store;
  const fields = await connection.run(keys.member(member), (client, key) => client.hgetall(key));
  const names = dueNames(member, parseGrants(new Map(Object.entries(fields))));
  const event = await erasedEvent(store, member);
  const named = { member: keys.member(member), ...grantKeys(store, member) };
  const here = connection.isCluster ? { event: '', names: [] } : { event, names };
  const isErased = await eraseMemberScript(connection, named, { ...here, retentionMs: periods.retentionMs });
  const due = names.flatMap((name) => [name, '']);
  if (isErased) await tellElsewhere(store, member, [event], due);
  return isErased;
}

async function erasedEvent(store: Store, member: MemberToken): Promise<string> {
  return eventText({ result: 'erased', member: await pseudonymOf(store, member) });
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
  await completeElsewhere(store, { calculationId, member });
  const own = keys.ofCalculation(member, calculationId);
  await connection.run(own.calculation, (client) => client.unlink(...Object.values(own)));
}
