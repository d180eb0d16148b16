import { closeSync, createReadStream, existsSync, openSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { readCalculation } from '../../../../src/store/calculation-record.ts';
import { FINDINGS, type FindingKind } from '../reconciliation/compare.ts';
import { reconcile } from '../reconciliation/reconcile.ts';
import { readTransactionLines } from '../reconciliation/transactions.ts';
import { Progress } from '../terminal/progress.ts';
import { renderTable } from '../terminal/table.ts';
import { assertNotInput } from './input-file.ts';
import { openStore } from './open-store.ts';

/** `reconcile transactions.ndjson`: compares the caller's transactions with ours. */

const BAD_ROWS_SHOWN = 10;

/** Resolves with 0 when the books agree, and with 1 on a finding or an unreadable row. */
export async function reconcileTransactions(file: string, { out }: { readonly out: string }): Promise<number> {
  if (!existsSync(file)) throw new Error(`there is no file ${file}`);
  assertNotInput('--out', out, [file]);
  const { counts, matched, badRows } = await reconcileFile(file, out);
  const kinds = Object.keys(FINDINGS) as FindingKind[];
  const rows = kinds.map((kind) => [kind, counts[kind], FINDINGS[kind]] as const);
  process.stdout.write(
    renderTable(
      ['finding', 'count', 'meaning'],
      [['matched', matched, 'nothing to report'], ...rows, ['bad rows', badRows, 'skipped']],
    ),
  );
  const found = kinds.some((kind) => counts[kind] > 0);
  if (found) process.stdout.write(`\nEach finding is a line of ${out}.\n`);
  return found || badRows > 0 ? 1 : 0;
}

async function reconcileFile(file: string, out: string): ReturnType<typeof reconcile> {
  const { store } = await openStore();
  try {
    const findings = openSync(out, 'w');
    const progress = new Progress('transactions');
    const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
    let badRowsShown = 0;
    const result = await reconcile(readTransactionLines(lines), {
      lookUp: (calculationId) => readCalculation(store, calculationId),
      onFinding: (finding) => writeFileSync(findings, `${JSON.stringify(finding)}\n`),
      onBadRow: ({ line, fault }) => {
        badRowsShown += 1;
        if (badRowsShown <= BAD_ROWS_SHOWN) process.stderr.write(`${file}:${line}: ${fault}; skipped\n`);
      },
      onProgress: (rows) => progress.show(rows),
    });
    closeSync(findings);
    const rows = result.transactions + result.badRows;
    // A failed export would look like books that agree.
    if (rows === 0) throw new Error(`${file} is empty; one line per transaction is required`);
    progress.finish(rows);
    return result;
  } finally {
    store.connection.close();
  }
}
