import { StoreUnavailable } from '../redis/failure.ts';
import { orStoreError, scanKeys } from '../redis/key-scan.ts';
import type { DescribeBasket } from './calculation-events.ts';
import { scanCalculations } from './calculation-scan.ts';
import { type CountedSale, completeCalculation, completeElsewhere } from './completion.ts';
import { appendMemberEvent, eventText } from './events.ts';
import { dueNames, grantKeys } from './grant-events.ts';
import type { MemberToken } from './keys.ts';
import { tellElsewhere } from './member-writes.ts';
import { parseGrants } from './members.ts';
import { readMerged } from './merged.ts';
import { pseudonymOf } from './pseudonyms.ts';
import { eraseIndexScript } from './scripts/index-entries.ts';
import { endErasedScript, eraseMemberScript, tellErasureScript } from './scripts/members.ts';
import type { Store } from './store.ts';
import { type AnsweredCalculation, type Owner, readAnswered } from './stored-calculation.ts';
import { keepErasedVouchers } from './vouchers.ts';

/** What an erasure has removed. */
export interface Erased {
  /** True when the member was stored. */
  readonly member: boolean;
  /** Calculations whose records and answers were removed. */
  readonly calculations: number;
}

export interface Erasure {
  readonly erased: Erased;
  /** Of all erasures of the member at once, and of one that goes on after an interruption, this one has come to the end, and no other one. */
  readonly isCompleter: boolean;
}

/**
 * Erases all keys of a member: first the member, so that later calls do not find it, with its consumption and holds, then its calculations and
 * answers, each with its index entry, then every other key with its hash tag, and at last the index entries of calls that were never
 * answered, which hold the member too. The hash tag finds what an older or newer version has written as well. The two searches go through all
 * keys, in steps that block Redis for a quarter of a millisecond each. An erasure is rare and may take seconds, while a list of
 * each member's calculations would cost every call two commands. Every command stays in one slot and may be repeated,
 * so running an interrupted erasure again completes it. So does one that stopped because another slot, which has to hear of a
 * sale or a release first, was away. Whatever calls have left to do of a calculation is done before that goes, and `count` is given the
 * sales that nobody has counted. Throws `StoreUnavailable`.
 */
export async function eraseMember(
  store: Store,
  member: MemberToken,
  describe: DescribeBasket,
  count: Erasing['count'],
  completeDecision?: Erasing['completeDecision'],
): Promise<Erasure> {
  const erasing = { store, describe, count, completeDecision };
  // The loyalty IDs that were merged into this one are of the same person.
  for (const other of (await readMerged(store, member)).keys()) await eraseOne(erasing, other);
  return eraseOne(erasing, member);
}

/** What the erasure asks of its caller. */
interface Erasing {
  readonly store: Store;
  readonly describe: DescribeBasket;
  /** Counts a sale, once however often it is told to. */
  readonly count: (sale: CountedSale) => Promise<void>;
  /** Completes a person's decision that its call has left; without it, such a decision is left as it is. */
  readonly completeDecision?: ((decided: AnsweredCalculation) => Promise<unknown>) | undefined;
}

async function eraseOne(erasing: Erasing, member: MemberToken): Promise<Erasure> {
  const { store } = erasing;
  const { keys, connection } = store;
  await keepErasedVouchers(store, member);
  const wasStored = await eraseStored(store, member);
  await connection.run(keys.member(member), (client) => client.unlink(...Object.values(keys.ofMember(member))));
  let calculations = 0;
  const pagesOfOthers: (readonly string[])[] = [];
  for await (const { calculationIds, fresh, others } of scanCalculations(store, member)) {
    // Before any of them goes, because a release writes into the record of the superseded calculation, which may be the member's too.
    const release = (calculationId: string) =>
      complete(erasing, { calculationId, member }, (stored) => completeElsewhere(store, stored));
    await Promise.all(calculationIds.map(release));
    // Nobody was stored under a loyalty ID that only calls have named.
    if (!wasStored && fresh.length > 0) await tellErasure(store, member, fresh);
    await Promise.all(calculationIds.map((calculationId) => eraseCalculation(erasing, { calculationId, member })));
    calculations += fresh.length;
    // The mark of the erasure goes last.
    const left = others.filter((key) => key !== keys.erasing(member));
    if (left.length > 0) pagesOfOthers.push(left);
  }
  // After the calculations, because among them are the returns, without which a calculation would be returned once more.
  for (const others of pagesOfOthers) await connection.run(keys.member(member), (client) => client.unlink(...others));
  await eraseClaims(store, member);
  const ended = await connection.run(keys.erasing(member), (client, key) => client.unlink(key));
  return { erased: { member: wasStored, calculations }, isCompleter: ended === 1 };
}

/** Erases what is stored of a member itself, with its event; on a cluster the event follows. */
async function eraseStored(store: Store, member: MemberToken): Promise<boolean> {
  const { keys, connection, periods } = store;
  const fields = await connection.run(keys.member(member), (client, key) => client.hgetall(key));
  const names = dueNames(member, parseGrants(new Map(Object.entries(fields))));
  const event = await erasedEvent(store, member);
  const named = { member: keys.member(member), erasing: keys.erasing(member), ...grantKeys(store, member) };
  const { retentionMs } = periods;
  const { wasStored, isUntold } = await eraseMemberScript(connection, named, { event, names, retentionMs });
  const due = names.flatMap((name) => [name, '']);
  if (isUntold) await appendErased(store, member, event);
  if (wasStored) await tellElsewhere(store, member, [], due);
  return wasStored;
}

/** Tells the erasure of somebody of whom only these calculations were found, unless another erasure has. */
async function tellErasure(store: Store, member: MemberToken, calculationIds: readonly string[]): Promise<void> {
  const { keys, connection, periods } = store;
  const others = calculationIds.flatMap((id) => [keys.calculation(member, id), keys.answer(member, id)]);
  const event = await erasedEvent(store, member);
  const { events } = grantKeys(store, member);
  const named = { erasing: keys.erasing(member), events, others };
  if (await tellErasureScript(connection, named, { event, retentionMs: periods.retentionMs })) {
    await appendErased(store, member, event);
  }
}

/** On a cluster, where the stream is in another slot: appends the event, and notes it at the mark. */
async function appendErased(store: Store, member: MemberToken, event: string): Promise<void> {
  const { keys, connection, periods } = store;
  await appendMemberEvent(store, member, event);
  await connection.run(keys.erasing(member), (client, key) => client.set(key, '2', 'PX', periods.retentionMs, 'XX'));
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

/** Completes something of a calculation. One that a bug keeps from it is erased all the same. */
async function complete(
  { store }: Erasing,
  owner: Owner,
  step: (stored: AnsweredCalculation) => Promise<unknown>,
): Promise<void> {
  try {
    const stored = await readAnswered(store, owner);
    if (stored) await step(stored);
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    store.connection.emit('failedStep', error as Error);
  }
}

/** Does the rest of what calls have left to do of a calculation, once nobody else finds it, who would count its sale under another name. */
async function completeRest(erasing: Erasing, stored: AnsweredCalculation): Promise<void> {
  const { store, describe, count, completeDecision } = erasing;
  // Every erasure is told that it is to count what one was given, so a lost reply is left to the next one.
  const countGiven = async (sale: CountedSale) => {
    if (!sale.isOurs) await count(sale);
  };
  await completeCalculation(store, stored, { describe, count: countGiven, claimant: 'erasure' });
  if (stored.due.decisionDue) await completeDecision?.(stored);
}

/**
 * The index entry is removed first, so that no call finds the calculation any more: it has ended then, and what it or a call has left until
 * then nobody could complete later. Where another member has taken the ID over, the holds under it in counters of all members are that one's.
 */
async function eraseCalculation(erasing: Erasing, owner: Owner): Promise<void> {
  const { keys, connection } = erasing.store;
  const { calculationId, member } = owner;
  const own = keys.ofCalculation(member, calculationId);
  const isOwn = await eraseIndexScript(connection, { index: keys.index(calculationId) }, { member });
  if (isOwn) await endErasedScript(connection, own, {});
  await complete(erasing, owner, (stored) => completeRest(erasing, stored));
  await connection.run(own.calculation, (client) => client.unlink(...Object.values(own)));
}
