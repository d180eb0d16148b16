import { findCalculation } from '../../../../src/store/find-calculation.ts';
import { readReturns } from '../../../../src/store/returns.ts';
import { type Store, soldMs } from '../../../../src/store/store.ts';
import type { StoredCalculation } from '../../../../src/store/stored-calculation.ts';
import { inBatches } from '../ndjson/read-lines.ts';
import { compare, FINDINGS, type Finding, type FindingKind, NOTES } from './compare.ts';
import type { SoldEvents } from './sold-events.ts';
import { type BadRow, isBadRow, type Transaction } from './transactions.ts';

/** Rows looked up at once: enough to fill a round trip, and few enough to need little memory. */
const BATCH = 500;

/** The days whose sales a file should have. */
export interface Period {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export interface ReconcileOptions {
  readonly store: Store;
  /** All sales of the event stream. */
  readonly sold: SoldEvents;
  readonly period: Period;
  readonly onFinding: (finding: Finding) => void;
  readonly onBadRow: (row: BadRow) => void;
  /** Called with the number of rows read, after every batch. */
  readonly onProgress?: (rows: number) => void;
}

/**
 * Joins the caller's transactions with ours on the calculation ID, and finds the sales of their days that they lack. It streams, so
 * its memory is independent of the number of rows, but for the sales of the stream. Transactions without any difference are `matched`.
 * Throws `StoreUnavailable`.
 */
export async function reconcile(
  rows: AsyncIterable<readonly (Transaction | BadRow)[]>,
  { store, sold, period, onFinding, onBadRow, onProgress }: ReconcileOptions,
) {
  const counts = Object.fromEntries(Object.keys(FINDINGS).map((kind) => [kind, 0])) as Record<FindingKind, number>;
  const keptSinceMs = Date.now() - soldMs(store.periods);
  const seen = new Set<string>();
  let [transactions, badRows, matched] = [0, 0, 0];
  const tell = (finding: Finding): void => {
    counts[finding.kind] += 1;
    onFinding(finding);
  };
  const findingsOf = async (transaction: Transaction): Promise<Finding[]> => {
    const { calculationId, refunded: isAsked } = transaction;
    if (calculationId === undefined) return [];
    const calculation = await findCalculation(store, calculationId);
    const isSold = sold.has(calculationId);
    if (isSold) seen.add(calculationId);
    const refunded = calculation && isAsked !== undefined ? await readRefunded(store, calculation) : 0;
    return compare(transaction, calculation, { isSold, refunded, keptSinceMs });
  };
  for await (const batch of inBatches(rows, BATCH)) {
    const bad = batch.filter(isBadRow);
    const read = batch.filter((row): row is Transaction => !isBadRow(row));
    bad.forEach(onBadRow);
    for (const findings of await Promise.all(read.map(findingsOf))) {
      if (findings.every(({ kind }) => NOTES.has(kind))) matched += 1;
      findings.forEach(tell);
    }
    [transactions, badRows] = [transactions + read.length, badRows + bad.length];
    onProgress?.(transactions + badRows);
  }
  const { days, sales } = findLacking(sold, seen, period);
  for (const [calculationId, { transactionId, status }] of sales) {
    tell({ kind: 'missing_transaction', calculationId, transactionId, expected: `${status} ${transactionId}` });
  }
  return { transactions, badRows, matched, counts, days };
}

/** What the returns of a calculation refunded, in minor units. */
async function readRefunded(store: Store, { member, calculationId }: StoredCalculation): Promise<number> {
  const returns = member ? await readReturns(store, member, calculationId) : [];
  return returns.reduce((sum, { answer }) => sum + answer.refund, 0);
}

/**
 * The other way round: the days that are compared, and the sales of them that the file lacks. Without a period these are the days of which
 * the file has at least half of the sales: a sale that was told after midnight does not make the whole day before one of the file's.
 */
function findLacking(sold: SoldEvents, seen: ReadonlySet<string>, { from, to }: Period) {
  const isNamed = from !== undefined || to !== undefined;
  const days = [...Map.groupBy(sold, ([, { day }]) => day)].map(([day, sales]) => {
    const lacking = sales.filter(([calculationId]) => !seen.has(calculationId));
    const isCompared = isNamed ? (from ?? day) <= day && day <= (to ?? day) : 2 * lacking.length <= sales.length;
    return { day, lacking, isCompared };
  });
  const compared = days.filter(({ isCompared }) => isCompared);
  return { days: compared.map(({ day }) => day).sort(), sales: compared.flatMap(({ lacking }) => lacking) };
}
