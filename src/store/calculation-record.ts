import { readFields } from '../redis/hash-fields.ts';
import { joinUses } from './common-uses.ts';
import { type IndexEntry, lookInSlot } from './index-entry.ts';
import type { MemberToken } from './keys.ts';
import { parseOutcome, type SaleOutcome } from './sale.ts';
import type { Store } from './store.ts';

/** The history of a calculation, kept for the retention. Money in minor units, instants in ms of Redis' clock. */
export interface CalculationRecord {
  readonly calculationId: string;
  /**
   * `unknown`: the ID was claimed, or named by a sale event or a successor, but the calculation was never committed.
   */
  readonly state: 'open' | 'superseded' | 'sold' | 'expired' | 'unknown';
  readonly member: MemberToken | undefined;
  readonly venueId: string | undefined;
  /** The status of the answer: applied, unchanged or member_not_found. */
  readonly answered: string | undefined;
  readonly answeredAtMs: number | undefined;
  /** The instant at which its hold ends or ended. */
  readonly deadlineMs: number | undefined;
  /** The amount due by the answer. */
  readonly total: number | undefined;
  /** `usageKey=units/limit`, separated by blanks. */
  readonly uses: string;
  readonly supersededBy: string | undefined;
  /** The outcome that stands. */
  readonly sale: SaleOutcome | undefined;
  readonly soldAtMs: number | undefined;
  readonly isLate: boolean;
  readonly overRedeemed: number;
  /** Milliseconds by which a test has made it older (member-clock.ts). */
  readonly agedMs: number;
  /** Sale events refused because their outcome differed from the one that stood. */
  readonly conflicts: number;
  /** The first other outcome that was reported, by an event that was refused. */
  readonly second: SaleOutcome | undefined;
  /** What a person has decided about the two outcomes. */
  readonly decision: Decision | undefined;
}

/** A person's decision between two outcomes of a calculation. */
export interface Decision {
  readonly outcome: 'first' | 'second';
  /** The name of the token; undefined of a decision that an earlier version booked. */
  readonly who: string | undefined;
  readonly reason: string;
  readonly atMs: number;
  /** The first outcome, which stood until then. */
  readonly first: SaleOutcome;
}

const FIELDS = [
  ...(['state', 'venue', 'status', 'at', 'deadline', 'total', 'holds', 'common', 'supersededBy'] as const),
  ...(['sale', 'soldAt', 'late', 'over', 'conflicts', 'aged', 'fp'] as const),
  ...(['second', 'first', 'decided', 'decidedAt', 'decidedBy', 'decidedWhy'] as const),
];
type Fields = Partial<Record<(typeof FIELDS)[number], string>>;

/**
 * Reads a calculation. Undefined when its ID was never seen, or was seen longer ago than the retention. Its kept basket is
 * not read, because reconciliation reads every calculation of a day.
 */
export async function readCalculation(store: Store, calculationId: string): Promise<CalculationRecord | undefined> {
  const { entry, found } = await lookInSlot(store, calculationId, async (member) => {
    const key = store.keys.calculation(member, calculationId);
    const values = await readFields(store.connection, key, ...FIELDS);
    // A sale event may have come before the calculation, of which there is nothing else then.
    const isThere = values.some((value) => value !== undefined);
    return isThere ? { fields: Object.fromEntries(FIELDS.map((name, at) => [name, values[at]])) } : undefined;
  });
  return entry && toRecord(calculationId, entry, found?.fields ?? {});
}

/** Reads a calculation with all that is stored of it, such as its kept basket. Undefined when nothing is. */
export async function readStored(store: Store, calculationId: string) {
  const { entry, found } = await lookInSlot(store, calculationId, async (member) => {
    const key = store.keys.calculation(member, calculationId);
    const stored: Readonly<Record<string, Buffer>> = await store.connection.run(key, (client) =>
      client.hgetallBuffer(key),
    );
    return stored['fp'] && { stored };
  });
  if (!entry || !found) return undefined;
  const { member, stored } = found;
  const fields = Object.fromEntries(FIELDS.map((name) => [name, stored[name]?.toString()]));
  return { member, stored, record: toRecord(calculationId, entry, fields) };
}

function toRecord(calculationId: string, { member, tombstone }: IndexEntry, fields: Fields): CalculationRecord {
  const sale = fields.sale ?? (tombstone?.kind === 'sale' ? tombstone.outcome : undefined);
  return {
    calculationId,
    state: fields.fp === undefined ? 'unknown' : (fields.state as CalculationRecord['state']),
    member,
    venueId: fields.venue,
    answered: fields.status,
    answeredAtMs: toNumber(fields.at),
    deadlineMs: toNumber(fields.deadline),
    total: toNumber(fields.total),
    uses: joinUses(fields.holds ?? '', fields.common ?? ''),
    supersededBy: fields.supersededBy ?? (tombstone?.kind === 'superseded' ? tombstone.by : undefined),
    sale: sale === undefined ? undefined : parseOutcome(sale),
    soldAtMs: toNumber(fields.soldAt),
    isLate: fields.late === '1',
    overRedeemed: Number(fields.over ?? 0),
    agedMs: Number(fields.aged ?? 0),
    conflicts: Number(fields.conflicts ?? 0),
    second: fields.second === undefined ? undefined : parseOutcome(fields.second),
    decision: sale === undefined ? undefined : readDecision(fields, sale),
  };
}

function readDecision(
  { decided, decidedAt, decidedBy: who, decidedWhy: reason = '', first }: Fields,
  stands: string,
): Decision | undefined {
  if (decided === undefined) return undefined;
  const outcome = decided as Decision['outcome'];
  return { outcome, who, reason, atMs: Number(decidedAt), first: parseOutcome(first ?? stands) };
}

function toNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
