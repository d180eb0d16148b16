import { StoreUnavailable } from '../redis/failure.ts';
import { completeEnding, confirmHolds } from './common-endings.ts';
import { type MemberToken, memberToken } from './keys.ts';
import { leadIndexScript } from './scripts/index-entries.ts';
import { closeCountersScript } from './scripts/merges.ts';
import { adoptCalculationScript, dropCalculationScript, readCalculationScript } from './scripts/owned-keys.ts';
import { orLeaveUndone } from './spare-key.ts';
import type { Store } from './store.ts';
import { storedOf } from './stored-calculation.ts';

/**
 * A member that was merged into another one: the field `into` of its hash names that one, and calls with its loyalty ID are
 * answered as the other's. Its counters have the mark `!moved`, so that a sale or a return that still looks for a calculation
 * here moves it first. Every step may be repeated, and each stays in one slot.
 */

/** A member that was merged into one that was merged itself, and so on. More hops than this are a circle. */
export const MOST_HOPS = 16;

/** The loyalty ID that a member goes by: its own, or that of the member that it was merged into. Throws `StoreUnavailable`. */
export async function resolveMerged(store: Store, programmeId: string, loyaltyId: string): Promise<string> {
  let present = loyaltyId;
  for (let hops = 0; hops < MOST_HOPS; hops += 1) {
    const into = await readInto(store, memberToken(programmeId, present));
    if (into === undefined) return present;
    present = into;
  }
  throw new Error('members were merged in a circle');
}

/**
 * The members whose sales a loyalty ID stands for: the one that it goes by, and those that were merged into that one. Throws
 * `StoreUnavailable`.
 */
export async function membersOfCard(store: Store, programmeId: string, loyaltyId: string): Promise<MemberToken[]> {
  const present = memberToken(programmeId, await resolveMerged(store, programmeId, loyaltyId));
  const merged = await readMerged(store, present);
  return [present, ...merged.keys()];
}

/** The loyalty ID of the member that one was merged into. Throws `StoreUnavailable`. */
export async function readInto({ connection, keys }: Store, member: MemberToken): Promise<string | undefined> {
  const into = await connection.run(keys.member(member), (client, key) => client.hget(key, 'into'));
  return into === null ? undefined : (JSON.parse(into) as string);
}

/**
 * Closes the counters of a member that is led on to another one, so that whoever still looks for a calculation there moves it first.
 * False where it is not led on there: it was erased meanwhile, say. Throws `StoreUnavailable`.
 */
export async function closeCounters(
  { connection, keys }: Store,
  from: MemberToken,
  into: MemberToken,
  intoId: string,
): Promise<boolean> {
  return closeCountersScript(connection, keys.ofMember(from), { intoId: JSON.stringify(intoId), into });
}

/**
 * Moves a calculation of a merged member, with its answer, returns, hold and index entry, into the slot of the member that it was
 * merged into. Safe to repeat, also at once. Throws `StoreUnavailable`.
 */
export async function moveCalculation(
  store: Store,
  from: MemberToken,
  into: MemberToken,
  calculationId: string,
): Promise<{ readonly isMoved: boolean; readonly hasHold: boolean }> {
  const { connection, keys, periods } = store;
  const [here, there] = [keys.everyKeyOf(from, calculationId), keys.everyKeyOf(into, calculationId)];
  const kinds = keys.kindsOfCalculation;
  const { hold, contents } = await readCalculationScript(connection, here, { calculationId, kinds });
  const isThere = contents.length > 0;
  const words = contents.flatMap((content, at) => [
    ...[kinds[at]!, content.lifetimeMs, content.words.length],
    ...content.words,
  ]);
  const adopted = { calculationId, holdMs: periods.holdMs, hold, contents: words };
  const written = isThere ? await adoptCalculationScript(connection, there, adopted) : NOT_WRITTEN;
  const { state, commonUses: uses, due } = storedOf(from, calculationId, hashOf(contents[0]?.words ?? []));
  // A counter of all members that has not heard of the commit would look for it here, and find nothing.
  if (state === 'open') await confirmHolds(store, { calculationId, member: from, uses, dropped: [] });
  // From here on everybody finds it in its new slot.
  await leadIndexScript(connection, { index: keys.index(calculationId) }, { from, into });
  if (isThere) await dropCalculationScript(connection, here, { calculationId });
  // What was left to do may have been done since it was copied: done again at once it is known as a repetition, later it would not be.
  if (due.commonDue) {
    const ending = completeEnding(store, { calculationId, member: into }, { uses, ending: due.commonDue });
    await orLeaveUndone(store, ending);
  }
  return { isMoved: written.isWritten, hasHold: written.hasHold };
}

/** The fields of a hash from `name, value, name, value`. */
function hashOf(words: readonly Buffer[]): Record<string, Buffer> {
  const fields: Record<string, Buffer> = {};
  for (let at = 0; at + 1 < words.length; at += 2) fields[words[at]!.toString()] = words[at + 1]!;
  return fields;
}

const NOT_WRITTEN = { isWritten: false, hasHold: false };

/**
 * Moves a sale whose member was merged, once its counters have followed: what the sale took is counted in the old ones until then. Throws
 * `StoreUnavailable`.
 */
export async function moveSale(
  store: Store,
  from: MemberToken,
  { into, counters }: { readonly into: MemberToken; readonly counters: number },
  calculationId: string,
): Promise<void> {
  if (counters !== 0) throw new StoreUnavailable('a merge of the member is under way, or was interrupted: repeat it');
  await moveCalculation(store, from, into, calculationId);
}

/**
 * The members that were merged into one, and into these, with their loyalty IDs; each comes after those that were merged into it. Throws
 * `StoreUnavailable`.
 */
export async function readMerged(
  store: Store,
  member: MemberToken,
  known: ReadonlySet<MemberToken> = new Set(),
): Promise<Map<MemberToken, string>> {
  const { connection, keys } = store;
  const path = new Set([...known, member]);
  const own = await connection.run(keys.merged(member), (client, key) => client.hgetall(key));
  const all = new Map<MemberToken, string>();
  for (const [token, id] of Object.entries(own) as [MemberToken, string][]) {
    if (path.has(token)) continue;
    for (const [below, belowId] of await readMerged(store, token, path)) all.set(below, belowId);
    all.set(token, JSON.parse(id) as string);
  }
  return all;
}
