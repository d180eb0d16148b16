import { replyMap, type ScriptReply } from '../redis/scripts.ts';
import { type MemberToken, memberToken } from './keys.ts';
import { readClock } from './member-clock.ts';
import { runScript } from './scripts.ts';
import type { Store } from './store.ts';

/** A voucher of a member; a benefitId alone is one without end or count. Dates are days, both included. */
export interface StoredGrant {
  readonly benefitId: string;
  readonly grantId: string;
  readonly quantity?: number;
  readonly from?: string;
  readonly to?: string;
}

/** A member as stored. */
export interface StoredMember {
  readonly programmeId: string;
  readonly loyaltyId: string;
  readonly status: 'active' | 'paused' | 'expired' | 'blocked';
  readonly tier?: string;
  readonly memberLabel?: string;
  readonly grants: readonly (string | StoredGrant)[];
}

/** A member with its consumption and holds, as of one instant of Redis' clock. */
export interface MemberSnapshot {
  /** Redis' clock at that instant, milliseconds. */
  readonly nowMs: number;
  /** Milliseconds by which the clock of a test member was moved ahead (member-clock.ts); 0 for everybody else. */
  readonly movedMs: number;
  /** The instant of Redis' clock, in milliseconds, at which a moved clock is right again. */
  readonly clockEndsMs?: number;
  /** Undefined when Redis does not know the member. */
  readonly member: StoredMember | undefined;
  /** Units consumed per usage key. The key with `!over` appended counts the units past the limit. */
  readonly consumed: ReadonlyMap<string, number>;
  readonly holds: readonly Hold[];
}

export interface Hold {
  readonly calculationId: string;
  readonly deadlineMs: number;
  /** Units held per usage key. */
  readonly units: ReadonlyMap<string, number>;
}

/** Reads a member. `withUses` costs two more reads, and is needed only when the programme has limited or granted benefits. */
export async function readMember(
  store: Store,
  member: { readonly token: MemberToken; readonly programmeId: string; readonly loyaltyId: string },
  withUses: boolean,
): Promise<MemberSnapshot> {
  const { token } = member;
  const keys = [store.keys.member(token), store.keys.use(token), store.keys.hold(token)];
  const reply = await runScript(store.connection, 'read-member', keys, [withUses ? 1 : 0]);
  return readSnapshot(member, reply as ScriptReply[]);
}

/** Reads a snapshot from a script's reply: now in ms, then the member's, the consumption's and the holds' fields. */
export function readSnapshot(
  member: { readonly programmeId: string; readonly loyaltyId: string },
  [nowMs, fields, uses, holds]: readonly ScriptReply[],
): MemberSnapshot {
  const stored = replyMap(fields);
  return {
    nowMs: nowMs as number,
    ...readClock(stored.get('clock'), nowMs as number),
    member: parseMember(member, stored),
    consumed: new Map([...replyMap(uses)].map(([usageKey, units]) => [usageKey, Number(units)])),
    holds: [...replyMap(holds)].map(([calculationId, text]) => parseHold(calculationId, text)),
  };
}

/** Units consumed under a usage key, and how many of them are past the limit. */
export function unitsConsumed(
  { consumed }: MemberSnapshot,
  usageKey: string,
): { readonly consumed: number; readonly overRedeemed: number } {
  return { consumed: consumed.get(usageKey) ?? 0, overRedeemed: consumed.get(`${usageKey}!over`) ?? 0 };
}

/** Units held under a usage key by live holds of other calculations. */
export function unitsHeld(
  { holds, nowMs }: MemberSnapshot,
  usageKey: string,
  exceptCalculationIds: readonly (string | undefined)[],
): number {
  let held = 0;
  for (const { calculationId, deadlineMs, units } of holds) {
    if (deadlineMs <= nowMs || exceptCalculationIds.includes(calculationId)) continue;
    held += units.get(usageKey) ?? 0;
  }
  return held;
}

/** Units left of a limit for one calculation: `limit − consumed − Σ live holds of other calculations`. */
export function unitsLeft(
  snapshot: MemberSnapshot,
  usageKey: string,
  limit: number,
  exceptCalculationIds: readonly (string | undefined)[],
): number {
  const { consumed } = unitsConsumed(snapshot, usageKey);
  return Math.max(0, limit - consumed - unitsHeld(snapshot, usageKey, exceptCalculationIds));
}

/** Writes members, replacing each stored member as a whole. Safe to repeat. Returns how many members changed. */
export async function writeMembers(store: Store, members: readonly StoredMember[]): Promise<number> {
  const changes = await Promise.all(members.map((member) => writeMember(store, member)));
  return changes.reduce((sum, change) => sum + change, 0);
}

async function writeMember(store: Store, member: StoredMember): Promise<number> {
  return (await runScript(store.connection, 'write-member', [keyOf(store, member)], memberFields(member))) as number;
}

/**
 * Replaces a member only while Redis still holds `before`, so that of two people who change a member at once the later
 * one sees what the earlier one wrote. Returns false when it holds something else.
 */
export async function replaceMember(store: Store, before: StoredMember, member: StoredMember): Promise<boolean> {
  const expected = memberFields(before);
  const args = [expected.length, ...expected, ...memberFields(member)];
  return (await runScript(store.connection, 'replace-member', [keyOf(store, before)], args)) === 1;
}

function keyOf(store: Store, { programmeId, loyaltyId }: StoredMember): string {
  return store.keys.member(memberToken(programmeId, loyaltyId));
}

/** The fields of a member's hash and their values, one after the other. */
export function memberFields(member: StoredMember): string[] {
  const plain = member.grants.filter((grant) => typeof grant === 'string');
  const vouchers = member.grants.filter((grant) => typeof grant !== 'string');
  const fields = {
    programmeId: member.programmeId,
    // Stored as JSON text, because an opaque ID may hold a lone surrogate, which UTF-8 cannot encode.
    loyaltyId: JSON.stringify(member.loyaltyId),
    status: member.status,
    grants: plain.join(','),
    // A field of its own, so that an older version still reads the plain ones.
    ...(vouchers.length > 0 && { vouchers: JSON.stringify(vouchers) }),
    ...(member.tier !== undefined && { tier: member.tier }),
    ...(member.memberLabel !== undefined && { memberLabel: member.memberLabel }),
  };
  return Object.entries(fields).flat();
}

/** Parses a member from its hash's fields; undefined when there are none. */
export function parseMember(
  { programmeId, loyaltyId }: { readonly programmeId: string; readonly loyaltyId: string },
  fields: ReadonlyMap<string, string>,
): StoredMember | undefined {
  const status = fields.get('status');
  if (status === undefined) return undefined;
  const [tier, memberLabel] = [fields.get('tier'), fields.get('memberLabel')];
  const [grants, vouchers] = [fields.get('grants'), fields.get('vouchers')];
  return {
    programmeId,
    loyaltyId,
    status: status as StoredMember['status'],
    ...(tier !== undefined && { tier }),
    ...(memberLabel !== undefined && { memberLabel }),
    grants: [...(grants ? grants.split(',') : []), ...(vouchers ? (JSON.parse(vouchers) as StoredGrant[]) : [])],
  };
}

function parseHold(calculationId: string, text: string): Hold {
  const [deadline, ...uses] = text.split(' ');
  const units = uses.map((use) => {
    const match = /^(.+)=(\d+)\/\d+$/.exec(use);
    if (!match) throw new Error('A hold is not of its form.');
    return [match[1] as string, Number(match[2])] as const;
  });
  return { calculationId, deadlineMs: Number(deadline), units: new Map(units) };
}
