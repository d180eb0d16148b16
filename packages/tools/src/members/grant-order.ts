import { grantUsageKey } from '@loyalty/engine/offers/grants';
import { describeSpentGrant } from '@loyalty/engine/offers/limits';
import type { Environment } from '../../../../src/programme/environment.ts';
import { checkMemberShape } from '../../../../src/programme/member-check.ts';
import { readAllCounters } from '../../../../src/store/holds.ts';
import { memberToken } from '../../../../src/store/keys.ts';
import { type Change, changeMember } from '../../../../src/store/member-changes.ts';
import {
  benefitOfGrant,
  countersOf,
  type MemberSnapshot,
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

/** What became of a row, in the order of the report. */
export const ROW_OUTCOMES = {
  given: 'got it',
  changed: 'had it with another quantity or dates, which were changed',
  had: 'had it already',
  taken: 'had it, and no longer do',
  'had none': 'did not have it',
  unknown: 'unknown members',
  'in the file': 'in the configuration file, and changed only there',
  rejected: 'rejected rows',
} as const;
export type RowOutcome = keyof typeof ROW_OUTCOMES;

export interface DoneRow {
  readonly line: number;
  readonly loyaltyId: string;
  readonly outcome: RowOutcome;
  /** Baskets in which the member has used the grant, and those of open calculations. */
  readonly used: number;
  readonly held: number;
  /** The reason of a rejected row, or a warning. */
  readonly words?: string;
}

export interface OrderOptions {
  readonly store: Store;
  readonly environment: Environment;
  readonly order: GrantOrder;
  readonly isDryRun: boolean;
}

/** Carries an order out for one row. Safe to repeat. Throws `StoreUnavailable`. */
export async function applyOrder(options: OrderOptions, row: MemberRow): Promise<DoneRow> {
  const { store, environment, order } = options;
  const named = nameRow(row, order);
  if ('words' in named) return { ...nothing(row, named.loyaltyId), words: named.words };
  const { programmeId } = named;
  const loyaltyId = await resolveMerged(store, programmeId, named.loyaltyId);
  if (environment.findMember(programmeId, loyaltyId)) return { ...nothing(row, loyaltyId), outcome: 'in the file' };
  const present = { programmeId, loyaltyId };
  const before = await readGrants(store, present);
  let judged = judge(order, before.member);
  if (!options.isDryRun) {
    await changeMember(store, present, (stored) => {
      judged = judge(order, stored);
      return decide(order, stored, judged);
    });
  }
  // The uses of a grant that was taken are read after it: from then on no basket begins with it.
  const after = options.isDryRun ? before : await readGrants(store, present);
  const { outcome, words, grants } = judged;
  const uses = grants.map((grant) => usesOf(after, grant));
  const venues = environment.venues.filter((venue) => venue.programme.programmeId === programmeId);
  const isGrant = order.grant !== undefined && outcome !== 'unknown' && outcome !== 'rejected';
  const warning = isGrant ? describeSpentGrant(venues, order.grant as StoredGrant, countersOf(after)) : undefined;
  const said = words ?? warning;
  return {
    ...{ line: row.line, loyaltyId: named.loyaltyId, outcome },
    used: uses.reduce((sum, { used }) => sum + used, 0),
    held: uses.reduce((sum, { held }) => sum + held, 0),
    ...(said !== undefined && { words: said }),
  };
}

interface Named {
  readonly programmeId: string;
  readonly loyaltyId: string;
}

function nameRow(row: MemberRow, { programmeId: own }: GrantOrder): Named | { loyaltyId: string; words: string } {
  const said = (row.value ?? {}) as { readonly programmeId?: unknown; readonly loyaltyId?: unknown };
  const { programmeId = own, loyaltyId } = said;
  const shown = typeof loyaltyId === 'string' ? loyaltyId : '';
  const error = row.fault ?? checkMemberShape({ programmeId, loyaltyId, status: 'active' }, '');
  if (error) {
    const place = error.path === '' ? '' : `${error.path}: `;
    return { loyaltyId: shown, words: `${place}found ${error.found}, allowed: ${error.allowed}` };
  }
  if (programmeId === own) return { programmeId: own, loyaltyId: shown };
  return { loyaltyId: shown, words: `programmeId: found ${JSON.stringify(programmeId)}, allowed: ${own}` };
}

function nothing(row: MemberRow, loyaltyId: string): DoneRow {
  return { line: row.line, loyaltyId, outcome: 'rejected', used: 0, held: 0 };
}

interface Judged {
  readonly outcome: RowOutcome;
  readonly words?: string;
  /** The grants that the order is about. */
  readonly grants: StoredMember['grants'];
}

/** Decides what becomes of a member as it is stored. */
function decide(order: GrantOrder, stored: StoredMember | undefined, { outcome }: Judged): Change<RowOutcome> {
  if (!stored || (outcome !== 'given' && outcome !== 'changed' && outcome !== 'taken')) {
    return { outcome: 'refuse', refusal: outcome };
  }
  const { grant } = order;
  const rest = stored.grants.filter((other) => !isMeant(order, other));
  if (!grant) return { outcome: 'write', member: { ...stored, grants: rest } };
  const at = stored.grants.findIndex((other) => isMeant(order, other));
  const grants = at < 0 ? [...stored.grants, grant] : stored.grants.with(at, grant);
  return { outcome: 'write', member: { ...stored, grants } };
}

function judge(order: GrantOrder, stored: StoredMember | undefined): Judged {
  const { benefitId, grant } = order;
  if (!stored) return { outcome: 'unknown', grants: [] };
  const own = stored.grants.filter((other) => isMeant(order, other));
  if (!grant) return { outcome: own.length > 0 ? 'taken' : 'had none', grants: own };
  const [same] = own;
  if (same === undefined) return { outcome: 'given', grants: [grant] };
  if (benefitOfGrant(same) !== benefitId) {
    const words = `grantId: found ${grant.grantId} of ${benefitOfGrant(same)}, allowed: a grantId that the member does not have for another benefit`;
    return { outcome: 'rejected', words, grants: [] };
  }
  return { outcome: isSame(same, grant) ? 'had' : 'changed', grants: [grant] };
}

/** True for the grant of the order's name; without a name for every grant of its benefit. */
function isMeant({ benefitId, grantId }: GrantOrder, grant: string | StoredGrant): boolean {
  return grantId === undefined ? benefitOfGrant(grant) === benefitId : nameOfGrant(grant) === grantId;
}

function isSame(one: string | StoredGrant, other: StoredGrant): boolean {
  const { quantity, from, to } = typeof one === 'string' ? ({} as Partial<StoredGrant>) : one;
  return quantity === other.quantity && from === other.from && to === other.to;
}

async function readGrants(store: Store, { programmeId, loyaltyId }: Named): Promise<MemberSnapshot> {
  const token = memberToken(programmeId, loyaltyId);
  return readAllCounters(store, token, await readMember(store, { token, programmeId, loyaltyId }, true));
}

/** A grant without a quantity has no counter. */
function usesOf(
  snapshot: MemberSnapshot,
  grant: string | StoredGrant,
): { readonly used: number; readonly held: number } {
  if (typeof grant === 'string' || grant.quantity === undefined) return { used: 0, held: 0 };
  const usageKey = grantUsageKey(grant);
  return { used: unitsConsumed(snapshot, usageKey).consumed, held: unitsHeld(snapshot, usageKey) };
}
