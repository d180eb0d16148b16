import { grantUsageKey } from '@loyalty/engine/offers/grants';
import { describeSpentGrant } from '@loyalty/engine/offers/limits';
import { wrong } from '../../../../src/programme/configuration-error.ts';
import type { Environment } from '../../../../src/programme/environment.ts';
import { checkMemberShape } from '../../../../src/programme/member-check.ts';
import { readAllCounters } from '../../../../src/store/holds.ts';
import { memberToken } from '../../../../src/store/keys.ts';
import { changeMember } from '../../../../src/store/member-changes.ts';
import {
  benefitOfGrant,
  countersOf,
  nameOfGrant,
  readMember,
  type StoredGrant,
  type StoredMember,
  unitsConsumed,
  unitsHeld,
} from '../../../../src/store/members.ts';
import { resolveMerged } from '../../../../src/store/merged.ts';
import type { Store } from '../../../../src/store/store.ts';
import type { MemberRow } from './rows.ts';

/** One grant, given to or taken from each member of a list. */
export interface GrantOrder {
  readonly kind: 'grant' | 'revoke';
  readonly programmeId: string;
  readonly benefitId: string;
  /** Undefined of a revocation of all grants of the benefit. */
  readonly grantId: string | undefined;
  /** The grant to give. */
  readonly grant: StoredGrant | undefined;
}

export type RowOutcome = 'given' | 'changed' | 'had' | 'taken' | 'had none' | 'unknown' | 'in the file' | 'rejected';

export interface DoneRow {
  readonly line: number;
  readonly loyaltyId: string;
  readonly outcome: RowOutcome;
  /** Baskets in which the member has used the grant, and those of open calculations. */
  readonly used: number;
  readonly held: number;
  /** The reason of a rejected row, or a warning. */
  readonly words?: string | undefined;
}

export interface OrderOptions {
  readonly store: Store;
  readonly environment: Environment;
  readonly order: GrantOrder;
  readonly isDryRun: boolean;
}

/** Carries an order out for one row. Safe to repeat. Throws `StoreUnavailable`. */
export async function applyOrder(
  { store, environment, order, isDryRun }: OrderOptions,
  row: MemberRow,
): Promise<DoneRow> {
  const { programmeId, grant } = order;
  const { loyaltyId: named, error } = readRow(row, programmeId);
  const done = { line: row.line, loyaltyId: named, used: 0, held: 0 };
  if (error !== undefined) return { ...done, outcome: 'rejected', words: error };
  const loyaltyId = await resolveMerged(store, programmeId, named);
  if (environment.findMember(programmeId, loyaltyId)) return { ...done, outcome: 'in the file' };
  const member = { programmeId, loyaltyId, token: memberToken(programmeId, loyaltyId) };
  let judged: Judged | undefined;
  if (!isDryRun) {
    await changeMember(store, member, (stored) => {
      judged = judge(order, stored);
      if (!stored || !judged.after) return { outcome: 'refuse', refusal: undefined };
      return { outcome: 'write', member: { ...stored, grants: judged.after } };
    });
  }
  // The uses of a grant that was taken are read after it: from then on no basket begins with it.
  const snapshot = await readAllCounters(store, member.token, await readMember(store, member, true));
  const { outcome, grants, words } = judged ?? judge(order, snapshot.member);
  const venues = environment.venues.filter((venue) => venue.programme.programmeId === programmeId);
  const isGiven = grant !== undefined && grants.length > 0;
  // A grant without a quantity has no counter.
  const counters = grants.flatMap((own) =>
    typeof own === 'string' || own.quantity === undefined ? [] : [grantUsageKey(own)],
  );
  return {
    ...done,
    outcome,
    used: counters.reduce((sum, counter) => sum + unitsConsumed(snapshot, counter).consumed, 0),
    held: counters.reduce((sum, counter) => sum + unitsHeld(snapshot, counter), 0),
    words: words ?? (isGiven ? describeSpentGrant(venues, grant, countersOf(snapshot)) : undefined),
  };
}

/** The member that a row names, or the error for which it is rejected. */
function readRow({ value, fault }: MemberRow, programmeId: string): { loyaltyId: string; error?: string } {
  const said = Object(value) as Readonly<Record<string, unknown>>;
  const { programmeId: saidProgramme = programmeId, loyaltyId } = said;
  const error =
    fault ??
    checkMemberShape({ programmeId: saidProgramme, loyaltyId, status: 'active' }, '') ??
    (saidProgramme === programmeId ? undefined : wrong('programmeId', saidProgramme, programmeId));
  const named = { loyaltyId: typeof loyaltyId === 'string' ? loyaltyId : '' };
  if (!error) return named;
  const place = error.path === '' ? '' : `${error.path}: `;
  return { ...named, error: `${place}found ${error.found}, allowed: ${error.allowed}` };
}

interface Judged {
  readonly outcome: RowOutcome;
  readonly words?: string;
  /** The grants that the order is about. */
  readonly grants: StoredMember['grants'];
  /** All grants of the member as they are to be written; undefined where nothing changes. */
  readonly after?: StoredMember['grants'];
}

/** Decides what becomes of a member as it is stored. */
function judge({ benefitId, grantId, grant }: GrantOrder, stored: StoredMember | undefined): Judged {
  if (!stored) return { outcome: 'unknown', grants: [] };
  // The grant of the order's name; without a name every grant of its benefit.
  const isMeant = (other: string | StoredGrant) =>
    grantId === undefined ? benefitOfGrant(other) === benefitId : nameOfGrant(other) === grantId;
  const own = stored.grants.filter(isMeant);
  const [present] = own;
  if (!grant) {
    if (present === undefined) return { outcome: 'had none', grants: [] };
    return { outcome: 'taken', grants: own, after: stored.grants.filter((other) => !isMeant(other)) };
  }
  if (present === undefined) return { outcome: 'given', grants: [grant], after: [...stored.grants, grant] };
  if (benefitOfGrant(present) !== benefitId) {
    const words = `grantId: found ${grant.grantId} of ${benefitOfGrant(present)}, allowed: a grantId that the member does not have for another benefit`;
    return { outcome: 'rejected', words, grants: [] };
  }
  const { quantity, from, to } = typeof present === 'string' ? ({} as Partial<StoredGrant>) : present;
  const isSame = quantity === grant.quantity && from === grant.from && to === grant.to;
  if (isSame) return { outcome: 'had', grants: [grant] };
  return { outcome: 'changed', grants: [grant], after: stored.grants.with(stored.grants.findIndex(isMeant), grant) };
}
