import type { StoredCalculation } from '../../../../src/store/stored-calculation.ts';
import { compare, FINDINGS, type Finding, type FindingKind, NOTES } from './compare.ts';
import { Lacking, type Period } from './lacking.ts';
import type { SoldEvents } from './sold-events.ts';
import { type BadRow, isBadRow, type Transaction } from './transactions.ts';

/** Rows looked up at once: enough to fill a round trip, and few enough to need little memory. */
const BATCH = 500;

export interface ReconcileOptions {
  readonly lookUp: (calculationId: string) => Promise<StoredCalculation | undefined>;
  /** What the returns of a calculation refunded, in minor units. */
  readonly refundedOf: (record: StoredCalculation) => Promise<number>;
  /** All sales of the event stream. */
  readonly sold: SoldEvents;
  readonly period: Period;
  readonly keptSinceMs: number;
  readonly onFinding: (finding: Finding) => void;
  readonly onBadRow: (row: BadRow) => void;
  /** Called with the number of rows read, after every batch. */
  readonly onProgress: (rows: number) => void;
}

/**
 * Joins the caller's transactions with ours on the calculation ID, and finds the sales of their days that they lack. It streams, so
 * its memory is independent of the number of rows, but for the sales of the stream. Transactions without any difference are `matched`.
 */
export async function reconcile(source: AsyncIterable<Transaction | BadRow>, options: ReconcileOptions) {
  const counts = Object.fromEntries(Object.keys(FINDINGS).map((kind) => [kind, 0])) as Record<FindingKind, number>;
  let [transactions, badRows, matched] = [0, 0, 0];
  const lacking = new Lacking(options.sold);
  const tell = (finding: Finding): void => {
    counts[finding.kind] += 1;
    options.onFinding(finding);
  };
  const findingsOf = async (transaction: Transaction): Promise<Finding[]> => {
    const { calculationId, refunded } = transaction;
    if (calculationId === undefined) return [];
    const record = await options.lookUp(calculationId);
    lacking.see(calculationId);
    const known = {
      isSold: lacking.isSold(calculationId),
      refunded: record && refunded !== undefined ? await options.refundedOf(record) : 0,
      keptSinceMs: options.keptSinceMs,
    };
    return compare(transaction, record, known);
  };

  const finish = async (batch: readonly Transaction[]): Promise<void> => {
    for (const findings of await Promise.all(batch.map(findingsOf))) {
      transactions += 1;
      if (findings.every(({ kind }) => NOTES.has(kind))) matched += 1;
      findings.forEach(tell);
    }
    options.onProgress(transactions + badRows);
  };

  let batch: Transaction[] = [];
  for await (const row of source) {
    if (isBadRow(row)) {
      badRows += 1;
      options.onBadRow(row);
      continue;
    }
    batch.push(row);
    if (batch.length < BATCH) continue;
    await finish(batch);
    batch = [];
  }
  await finish(batch);
  const { days, sales } = lacking.find(options.period);
  for (const [calculationId, { transactionId, status }] of sales) {
    tell({ kind: 'missing_transaction', calculationId, transactionId, expected: `${status} ${transactionId}` });
  }
  return { transactions, badRows, matched, counts, days };
}
