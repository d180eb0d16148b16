import type { CalculationRecord } from '../../../../src/store/calculation-record.ts';
import { compare, FINDINGS, type Finding, type FindingKind } from './compare.ts';
import { type BadRow, isBadRow, type Transaction } from './transactions.ts';

/** Rows looked up at once: enough to fill a round trip, and few enough to need little memory. */
const BATCH = 500;

export interface ReconcileOptions {
  readonly lookUp: (calculationId: string) => Promise<CalculationRecord | undefined>;
  readonly onFinding: (finding: Finding) => void;
  readonly onBadRow: (row: BadRow) => void;
  /** Called with the number of rows read, after every batch. */
  readonly onProgress: (rows: number) => void;
}

/**
 * Joins the caller's transactions with ours on the calculation ID. It streams, so its memory is independent of the
 * number of rows. Transactions without any finding are `matched`.
 */
export async function reconcile(source: AsyncIterable<Transaction | BadRow>, options: ReconcileOptions) {
  const counts = Object.fromEntries(Object.keys(FINDINGS).map((kind) => [kind, 0])) as Record<FindingKind, number>;
  let [transactions, badRows, matched] = [0, 0, 0];

  const finish = async (batch: readonly Transaction[]): Promise<void> => {
    const records = await Promise.all(
      batch.map(({ calculationId: id }) => (id === undefined ? id : options.lookUp(id))),
    );
    for (const [index, transaction] of batch.entries()) {
      const findings = compare(transaction, records[index]);
      transactions += 1;
      if (findings.length === 0) matched += 1;
      for (const finding of findings) {
        counts[finding.kind] += 1;
        options.onFinding(finding);
      }
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
  return { transactions, badRows, matched, counts };
}
