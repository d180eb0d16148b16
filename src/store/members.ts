import type { MemberToken } from './keys.ts';
import { readClock } from './moved-clock.ts';
import { readMemberScript } from './scripts/members.ts';
import type { ReplyOf } from './scripts.ts';
import type { Store } from './store.ts';
import { type Hold, parseHold } from './uses.ts';

/** A voucher of a member; a benefitId alone is one without end or count. Dates are days, both included. */
export interface StoredGrant {
  readonly benefitId: string;
  readonly grantId: string;
  readonly quantity?: number;
  readonly from?: string;
  readonly to?: string;
}

/** The name of a grant; that of a benefitId alone is the benefitId. */
export function nameOfGrant(grant: string | StoredGrant): string {
  return typeof grant === 'string' ? grant : grant.grantId;
}

export function benefitOfGrant(grant: string | StoredGrant): string {
  return typeof grant === 'string' ? grant : grant.benefitId;
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
  /** Milliseconds by which the clock of a test member was moved ahead (moved-clock.ts); 0 for everybody else. */
  readonly movedMs: number;
  /** The instant of Redis' clock, in milliseconds, at which a moved clock is right again. */
  readonly clockEndsMs?: number;
  /** The loyalty ID of the member that it was merged into: that one's calls are its own (merged.ts). */
  readonly mergedInto?: string;
  /** Undefined when Redis does not know the member. */
  readonly member: StoredMember | undefined;
  /** Units consumed per usage key. The key with `!over` appended counts the units past the limit. */
  readonly consumed: ReadonlyMap<string, number>;
  /** All holds of a member with few; of one with many those of the calculations that were asked for. */
  readonly holds: readonly Hold[];
  /** Units of live holds per usage key, of a member with many. */
  readonly held?: ReadonlyMap<string, number>;
  /** True when there are too many counters to be read with the member: `readCounters` adds those that are needed. */
  readonly isPartial?: boolean;
}

/** True where a member is stored under a loyalty ID, or was merged into another one. Throws `StoreUnavailable`. */
export async function isKnownMember({ connection, keys }: Store, member: MemberToken): Promise<boolean> {
  return (await connection.run(keys.member(member), (client, key) => client.exists(key))) === 1;
}

/**
 * Reads a member. `withUses` costs more reads, and is needed only when the programme has limited or granted benefits; `wanted`
 * are calculations whose own holds are asked for.
 */
export async function readMember(
  store: Store,
  member: { readonly token: MemberToken; readonly programmeId: string; readonly loyaltyId: string },
  withUses: boolean,
  wanted: readonly string[] = [],
): Promise<MemberSnapshot> {
  const { connection, keys } = store;
  return snapshotOf(member, await readMemberScript(connection, keys.ofMember(member.token), { withUses, wanted }));
}

/** The snapshot, of what `read-member` has read. */
export function snapshotOf(
  member: { readonly programmeId: string; readonly loyaltyId: string },
  read: ReplyOf<typeof readMemberScript>,
): MemberSnapshot {
  const { nowMs, fields: stored, uses, holds, held, isSummed, isPartial } = read;
  const into = stored.get('into');
  return {
    nowMs,
    ...readClock(stored.get('clock'), nowMs),
    ...(into !== undefined && { mergedInto: JSON.parse(into) as string }),
    member: parseMember(member, stored),
    consumed: toNumbers(uses),
    holds: [...holds].map(([calculationId, text]) => parseHold(calculationId, text)),
    ...(isSummed && { held: toNumbers(held) }),
    ...(isPartial && { isPartial }),
  };
}

function toNumbers(fields: ReadonlyMap<string, string>): Map<string, number> {
  const numbers = new Map<string, number>();
  for (const [usageKey, units] of fields) numbers.set(usageKey, Number(units));
  return numbers;
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
  { held: sums, holds, nowMs }: MemberSnapshot,
  usageKey: string,
  exceptCalculationIds?: readonly (string | undefined)[],
): number {
  let held = sums?.get(usageKey) ?? 0;
  for (const { calculationId, deadlineMs, units } of holds) {
    if (deadlineMs <= nowMs) continue;
    const isOwn = exceptCalculationIds?.includes(calculationId);
    // Beside the sums stand only holds that are to be taken off, without them only holds that are to be added.
    if (sums && isOwn) held -= units.get(usageKey) ?? 0;
    if (!sums && !isOwn) held += units.get(usageKey) ?? 0;
  }
  return Math.max(0, held);
}

/** Units left of a limit for one calculation: `limit − consumed − Σ live holds of other calculations`. */
export function unitsLeft(
  snapshot: MemberSnapshot,
  usageKey: string,
  limit: number,
  exceptCalculationIds?: readonly (string | undefined)[],
): number {
  const { consumed } = unitsConsumed(snapshot, usageKey);
  return Math.max(0, limit - consumed - unitsHeld(snapshot, usageKey, exceptCalculationIds));
}

/** The counters of a member as of its snapshot, in the form in which pricing asks for them. */
export function countersOf(snapshot: MemberSnapshot) {
  return {
    at: new Date(snapshot.nowMs + snapshot.movedMs).toISOString(),
    left: (usageKey: string, limit: number) => unitsLeft(snapshot, usageKey, limit),
    consumed: (usageKey: string) => unitsConsumed(snapshot, usageKey).consumed,
  };
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
    // A field of its own: few members have grants with a count or an end.
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
  // Of a member that was merged into another one, nothing is its own.
  if (status === undefined || fields.has('into')) return undefined;
  const [tier, memberLabel] = [fields.get('tier'), fields.get('memberLabel')];
  return {
    programmeId,
    loyaltyId,
    status: status as StoredMember['status'],
    ...(tier !== undefined && { tier }),
    ...(memberLabel !== undefined && { memberLabel }),
    grants: parseGrants(fields),
  };
}

/** The grants of a member, as its hash has them. */
export function parseGrants(fields: ReadonlyMap<string, string>): StoredMember['grants'] {
  const [grants, vouchers] = [fields.get('grants'), fields.get('vouchers')];
  return [...(grants ? grants.split(',') : []), ...(vouchers ? (JSON.parse(vouchers) as StoredGrant[]) : [])];
}
