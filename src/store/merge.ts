import { setTimeout as sleep } from 'node:timers/promises';
import { CALLER_TIMEOUT_MS } from '@loyalty/contract/limits';
import { scanCalculations } from './calculation-scan.ts';
import { eventText } from './events.ts';
import { grantKeys, grantsDue } from './grant-events.ts';
import { type MemberToken, memberToken } from './keys.ts';
import { tellElsewhere } from './member-writes.ts';
import { memberFields, parseGrants, parseMember } from './members.ts';
import { closeCounters, MOST_HOPS, moveCalculation, readInto, resolveMerged } from './merged.ts';
import { addGrants } from './merged-grants.ts';
import { pseudonymOf } from './pseudonyms.ts';
import {
  adoptHoldsScript,
  adoptMemberScript,
  endMergedScript,
  leadMemberScript,
  reopenCountersScript,
} from './scripts/merges.ts';
import { joinContentScript, readContentScript } from './scripts/owned-keys.ts';
import type { Store } from './store.ts';

/**
 * Merges a member into another one of its programme, in steps that each stay in one slot and may be repeated:
 *
 * 1. `into` in the old one's hash: calls with its loyalty ID are answered as the other's from now on.
 * 2. `!moved` in its counters: no sale consumes there any more, so that they stay as they are.
 * 3. The other one gets its holds, so that nobody else draws on what they hold, and then its grants and counters, once, in one script.
 * 4. Its calculations move, with all of their keys, holds and index entries, and what else is declared (owned-keys.ts) is joined. Those of calls that had begun before step 1 move
 *    after the longest time that such a call takes.
 * 5. Of the old one nothing stays but steps 1 and 2.
 *
 * Where the new member was erased before step 3, steps 1 and 2 are taken back. An interrupted merge is completed by running it again; sales and returns of calculations that have not moved yet move them.
 */

export type MergeOutcome =
  | { readonly outcome: 'merged'; readonly merged: Merged }
  | { readonly outcome: 'unknown'; readonly which: 'old' | 'new' }
  /** One of them was merged into somebody else before; or another merge of it is `underway`, which may still be taken back. */
  | { readonly outcome: 'elsewhere' | 'underway'; readonly which: 'old' | 'new'; readonly into: string };

/** What the new member got. All are 0 where a merge is repeated. */
export interface Merged {
  readonly grants: number;
  readonly counters: number;
  readonly calculations: number;
  readonly holds: number;
  /** True when the member had been merged before. */
  readonly isRepeated: boolean;
}

const MAX_TRIES = 100;
/** A script blocks its Redis. */
const HOLDS_AT_ONCE = 200;

/** Merges `oldId` into `newId`. Safe to repeat, also at once. Throws `StoreUnavailable`. */
export async function mergeMembers(
  store: Store,
  programmeId: string,
  oldId: string,
  newId: string,
): Promise<MergeOutcome> {
  const { connection, keys } = store;
  const [from, into] = [memberToken(programmeId, oldId), memberToken(programmeId, newId)];
  const before = await readHash(store, from);
  const target = await readHash(store, into);
  const [old, other] = [before.get('into'), target.get('into')];
  const leadsThere = old === JSON.stringify(newId);
  if (leadsThere && other !== undefined && (await isCircle(store, programmeId, oldId, newId))) {
    await breakCircle(store, programmeId, oldId, newId);
    return mergeMembers(store, programmeId, oldId, newId);
  }
  // A merge that had begun goes on where the new member has been led since.
  if (other !== undefined && !leadsThere) {
    return { outcome: 'elsewhere', which: 'new', into: JSON.parse(other) as string };
  }
  if (old !== undefined && !leadsThere) {
    return { outcome: 'elsewhere', which: 'old', into: JSON.parse(old) as string };
  }
  if (other === undefined && !target.has('status')) return withoutSurvivor(store, from, newId);
  if (old === undefined && !before.has('status')) return { outcome: 'unknown', which: 'old' };

  const refused = other === undefined && (await leadOn(store, from, into, newId));
  if (refused) return refused;
  if (!(await closeCounters(store, from, into, newId))) return { outcome: 'unknown', which: 'old' };
  const adopted = await adoptAlong(store, programmeId, oldId, newId);
  if (adopted === undefined) return withoutSurvivor(store, from, newId);
  const { survivor, ...given } = adopted;
  const first = await moveRest(store, from, survivor);
  await sleep(CALLER_TIMEOUT_MS);
  const late = await moveRest(store, from, survivor);
  if (!(await endOld(store, from))) {
    // It was erased meanwhile. Who is registered under its ID later is somebody else.
    await connection.run(keys.merged(survivor), (client, key) => client.hdel(key, from));
    return { outcome: 'unknown', which: 'old' };
  }
  const calculations = first.calculations + late.calculations;
  return { outcome: 'merged', merged: { ...given, calculations, holds: given.holds + first.holds + late.holds } };
}

/** There is nobody to merge into: of a merge that had begun, the old member is its own again. */
async function withoutSurvivor(store: Store, from: MemberToken, newId: string): Promise<MergeOutcome> {
  await takeBack(store, from, newId);
  return { outcome: 'unknown', which: 'new' };
}

/** Takes steps 1 and 2 back, also where a call has closed the counters already. */
async function takeBack({ connection, keys }: Store, from: MemberToken, newId: string): Promise<void> {
  await reopenCountersScript(connection, keys.ofMember(from), { intoId: JSON.stringify(newId) });
}

/**
 * Leads calls of the old member on to the new one. Of merges at once only one does: neither is a member merged into two others,
 * nor are two merged into each other. Returns the reason not to.
 */
async function leadOn(
  store: Store,
  from: MemberToken,
  into: MemberToken,
  newId: string,
): Promise<MergeOutcome | undefined> {
  const { connection, keys } = store;
  const marked = await leadMemberScript(connection, keys.ofMember(from), { intoId: JSON.stringify(newId) });
  if (marked === 'missing') return { outcome: 'unknown', which: 'old' };
  const [own, other] = await Promise.all([readInto(store, from), readInto(store, into)]);
  if (own !== undefined && own !== newId) return { outcome: 'underway', which: 'old', into: own };
  if (other === undefined) return undefined;
  if (marked === 'marked') await takeBack(store, from, newId);
  return { outcome: 'underway', which: 'new', into: other };
}

/** Whether the old member goes by the new one's loyalty ID, and that one in the end by the old one's. */
async function isCircle(store: Store, programmeId: string, oldId: string, newId: string): Promise<boolean> {
  if ((await readInto(store, memberToken(programmeId, oldId))) !== newId) return false;
  let present: string | undefined = newId;
  for (let hops = 0; hops < MOST_HOPS && present !== undefined && present !== oldId; hops += 1) {
    present = await readInto(store, memberToken(programmeId, present));
  }
  return present === oldId;
}

/**
 * Of merges at once that left their marks, one goes on, and another's mark is taken back: that of the new member, or where the new member's
 * merge was over, that of the old one, which came too late.
 */
async function breakCircle(store: Store, programmeId: string, oldId: string, newId: string): Promise<void> {
  // Whoever is alive takes its own mark back.
  await sleep(CALLER_TIMEOUT_MS);
  const [from, into] = [memberToken(programmeId, oldId), memberToken(programmeId, newId)];
  const otherId = await readInto(store, into);
  if (otherId === undefined || !(await isCircle(store, programmeId, oldId, newId))) return;
  const merged = await store.connection.run(store.keys.merged(memberToken(programmeId, otherId)), (client, key) =>
    client.hexists(key, into),
  );
  await (merged === 1 ? takeBack(store, from, newId) : takeBack(store, into, otherId));
}

async function readHash({ connection, keys }: Store, member: MemberToken): Promise<Map<string, string>> {
  return new Map(Object.entries(await connection.run(keys.member(member), (client, key) => client.hgetall(key))));
}

type Adopted = Pick<Merged, 'grants' | 'counters' | 'holds' | 'isRepeated'>;

/**
 * Gives the grants and counters of the old member to the new one, or to the member that this one was merged into meanwhile: the survivor. Undefined
 * where that one was erased.
 */
async function adoptAlong(
  store: Store,
  programmeId: string,
  oldId: string,
  newId: string,
): Promise<(Adopted & { readonly survivor: MemberToken }) | undefined> {
  const { connection, keys } = store;
  const from = memberToken(programmeId, oldId);
  for (let present = newId; ; ) {
    const survivor = memberToken(programmeId, present);
    const adopted = await adoptMember(store, programmeId, oldId, present);
    if (adopted) return { ...adopted, survivor };
    const last = await resolveMerged(store, programmeId, present);
    // Where it leads back to the old one, that was taken back as a circle.
    if (last === present || last === oldId) return undefined;
    // What it had got before went on with it.
    if ((await connection.run(keys.merged(survivor), (client, key) => client.hexists(key, from))) === 1) {
      return { grants: 0, counters: 0, holds: 0, isRepeated: true, survivor: memberToken(programmeId, last) };
    }
    // One after the other, since each of them may have got it.
    present = (await readInto(store, survivor)) ?? last;
  }
}

/** Gives the new member the grants and counters of the old one. Undefined where the new one was erased or merged meanwhile. */
async function adoptMember(
  store: Store,
  programmeId: string,
  oldId: string,
  newId: string,
): Promise<Adopted | undefined> {
  const { connection, keys, periods } = store;
  const [from, into] = [memberToken(programmeId, oldId), memberToken(programmeId, newId)];
  const old = await readHash(store, from);
  const grants = parseGrants(old);
  const uses = Object.entries(await connection.run(keys.use(from), (client, key) => client.hgetall(key)));
  // The mark itself has made the counters endless: their ends stand in their names and in `!end`.
  const counters = uses.filter(([usage]) => usage !== '!moved');
  const booked = Object.entries(
    await connection.run(keys.ofMember(from).vouchers, (client, key) => client.hgetall(key)),
  ).flat();
  const event = await mergedEvent(store, programmeId, from, into);
  let holds = 0;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const present = parseMember({ programmeId, loyaltyId: newId }, await readHash(store, into));
    if (!present) return undefined;
    if (tries === 0) holds = await adoptHolds(store, from, into);
    const given = addGrants(present.grants, grants);
    const due = [...grantsDue(into, present.grants, given), ...grantsDue(from, grants, [])];
    // The event is of the member that is no more, whose stream has its other ones.
    const named = {
      ...keys.ofMember(into),
      ...grantKeys(store, from),
    };
    const reply = await adoptMemberScript(connection, named, {
      from,
      loyaltyId: JSON.stringify(oldId),
      lifetimeMs: counters.length === 0 ? 0 : -1,
      grants: old.get('vouchers') ?? '',
      booked,
      event,
      due,
      retentionMs: periods.retentionMs,
      read: memberFields(present),
      written: memberFields({ ...present, grants: given }),
      counters: counters.flat(),
    });
    // Again where a merge is repeated, since the one before may have died here.
    if (reply !== 'changed') await tellElsewhere(store, from, [event], due);
    if (reply === 'adopted_before') return { grants: 0, counters: 0, holds, isRepeated: true };
    if (reply === 'adopted') return { grants: grants.length, counters: counters.length, holds, isRepeated: false };
  }
  throw new Error('the member is changed again and again');
}

async function mergedEvent(store: Store, programmeId: string, from: MemberToken, into: MemberToken): Promise<string> {
  const [member, other] = await Promise.all([pseudonymOf(store, from), pseudonymOf(store, into)]);
  return eventText({ result: 'merged', member, into: other, programmeId });
}

/** Gives the new member the holds of the old one; returns how many it had not had yet. */
async function adoptHolds({ connection, keys, periods }: Store, from: MemberToken, into: MemberToken): Promise<number> {
  const holds = Object.entries(await connection.run(keys.hold(from), (client, key) => client.hgetall(key)));
  let written = 0;
  for (let at = 0; at < holds.length; at += HOLDS_AT_ONCE) {
    const some = holds.slice(at, at + HOLDS_AT_ONCE).flat();
    written += await adoptHoldsScript(connection, keys.ofMember(into), { holdMs: periods.holdMs, holds: some });
  }
  return written;
}

/** Moves the calculations, and gives the new member what it does not have itself of the keys that are joined. */
async function moveRest(store: Store, from: MemberToken, into: MemberToken) {
  const { connection, keys } = store;
  let [calculations, holds] = [0, 0];
  for await (const { calculationIds } of scanCalculations(store, from)) {
    const moved = await Promise.all(calculationIds.map((id) => moveCalculation(store, from, into, id)));
    calculations += moved.filter(({ isMoved }) => isMoved).length;
    holds += moved.filter(({ hasHold }) => hasHold).length;
  }
  const [here, there] = [from, into].map((member) => keys.ofMember(member) as Readonly<Record<string, string>>);
  for (const [name, { kind, merge }] of Object.entries(keys.owned.member)) {
    if (merge !== 'joined') continue;
    const content = await readContentScript(connection, { owned: here![name]! }, { kind });
    if (content.words.length > 0) await joinContentScript(connection, { owned: there![name]! }, { kind, ...content });
  }
  return { calculations, holds };
}

/** Of the old member only the marks stay. False where it was erased meanwhile. */
async function endOld({ connection, keys }: Store, from: MemberToken): Promise<boolean> {
  const own = keys.ofMember(from) as Readonly<Record<string, string>>;
  const moved = Object.entries(keys.owned.member).filter(([, { merge }]) => merge !== 'marked' && merge !== 'stays');
  await connection.run(keys.member(from), (client) => client.unlink(...moved.map(([name]) => own[name]!)));
  const usages = await connection.run(keys.use(from), (client, key) => client.hkeys(key));
  const counted = usages.filter((usage) => usage !== '!moved');
  if (counted.length > 0) await connection.run(keys.use(from), (client, key) => client.hdel(key, ...counted));
  return endMergedScript(connection, keys.ofMember(from), {});
}
