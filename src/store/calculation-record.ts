import { joinUses } from './common-uses.ts';
import { readIndexEntry } from './index-entry.ts';
import type { MemberToken } from './keys.ts';
import type { Sale } from './sales.ts';
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
  readonly sale: Omit<Sale, 'calculationId'> | undefined;
  readonly soldAtMs: number | undefined;
  readonly isLate: boolean;
  readonly overRedeemed: number;
  /** Milliseconds by which a test has made it older (member-clock.ts). */
  readonly agedMs: number;
  /** Sale events refused because their outcome differed from the first. */
  readonly conflicts: number;
}

/** Reads a calculation. Undefined when its ID was never seen, or was seen longer ago than the retention. */
export async function readCalculation(store: Store, calculationId: string): Promise<CalculationRecord | undefined> {
  return (await readRecord(store, calculationId))?.record;
}

/** The same, with all fields as they are stored. */
export async function readRecord(store: Store, calculationId: string) {
  const entry = await readIndexEntry(store, calculationId);
  if (!entry) return undefined;
  const stored = entry.member === undefined ? {} : await readFields(store, entry.member, calculationId);
  const fields = Object.fromEntries(Object.entries(stored).map(([name, value]) => [name, value.toString()]));
  const { tombstone } = entry;
  const sale = fields['sale'] ?? (tombstone?.kind === 'sale' ? tombstone.outcome : undefined);
  const record: CalculationRecord = {
    calculationId,
    state: fields['fp'] !== undefined ? (fields['state'] as CalculationRecord['state']) : 'unknown',
    member: entry.member,
    venueId: fields['venue'],
    answered: fields['status'],
    answeredAtMs: toNumber(fields['at']),
    deadlineMs: toNumber(fields['deadline']),
    total: toNumber(fields['total']),
    uses: joinUses(fields['holds'] ?? '', fields['common'] ?? ''),
    supersededBy: fields['supersededBy'] ?? (tombstone?.kind === 'superseded' ? tombstone.by : undefined),
    sale: sale === undefined ? undefined : parseOutcome(sale),
    soldAtMs: toNumber(fields['soldAt']),
    isLate: fields['late'] === '1',
    overRedeemed: Number(fields['over'] ?? 0),
    agedMs: Number(fields['aged'] ?? 0),
    conflicts: Number(fields['conflicts'] ?? 0),
  };
  return { record, stored };
}

/** All fields, also those of the kept basket: one pass over Redis' compact form costs no more than looking up sixteen. */
function readFields(
  { connection, keys }: Store,
  member: MemberToken,
  calculationId: string,
): Promise<Readonly<Record<string, Buffer>>> {
  return connection.run((client) => client.hgetallBuffer(keys.calculation(member, calculationId)));
}

function parseOutcome(text: string): Omit<Sale, 'calculationId'> {
  const [status, transactionId, failureReason] = JSON.parse(text) as [string, string | null, string | null];
  return { status, transactionId: transactionId ?? undefined, failureReason: failureReason ?? undefined };
}

function toNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
