import { once } from 'node:events';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { readCalculation } from '../../store/calculation-record.ts';
import { FINDINGS, type Finding, type FindingKind } from '../reconciliation/compare.ts';
import { reconcile } from '../reconciliation/reconcile.ts';
import { readTransactionLines } from '../reconciliation/transactions.ts';
import { Progress } from '../terminal/progress.ts';
import { renderTable } from '../terminal/table.ts';
import { openStore } from './open-store.ts';

/** `reconcile transactions.ndjson`: compares the caller's transactions with ours. */

const BAD_ROWS_SHOWN = 10;

/** The arguments as the command line passes them. */
export interface ReconcileArguments {
  readonly out: string;
}

/** Resolves with 0 when the books agree, and with 1 on a finding or an unreadable row. */
export async function reconcileTransactions(file: string, values: ReconcileArguments): Promise<number> {
  if (!existsSync(file)) throw new Error(`there is no file ${file}`);
  const { store } = await openStore();
  const out = createWriteStream(values.out);
  const progress = new Progress('transactions');
  let badRowsShown = 0;
  const result = await reconcile(
    readTransactionLines(createInterface({ input: createReadStream(file), crlfDelay: Infinity })),
    {
      lookUp: (calculationId) => readCalculation(store, calculationId),
      onFinding: async (finding: Finding) => {
        if (!out.write(`${JSON.stringify(finding)}\n`)) await once(out, 'drain');
      },
      onBadRow: ({ line, fault }) => {
        badRowsShown += 1;
        if (badRowsShown <= BAD_ROWS_SHOWN) process.stderr.write(`${file}:${line}: ${fault}; skipped\n`);
      },
      onProgress: (rows) => progress.show(rows),
    },
  );
  out.end();
  await once(out, 'finish');
  store.connection.close();
  progress.finish(result.transactions + result.badRows);

  const kinds = Object.keys(FINDINGS) as FindingKind[];
  const rows = kinds.map((kind) => [kind, result.counts[kind], FINDINGS[kind]] as const);
  process.stdout.write(
    renderTable(
      ['finding', 'count', 'meaning'],
      [['matched', result.matched, 'nothing to report'], ...rows, ['bad rows', result.badRows, 'skipped']],
    ),
  );
  const found = kinds.some((kind) => result.counts[kind] > 0);
  if (found) process.stdout.write(`\nEach finding is a line of ${values.out}.\n`);
  return found || result.badRows > 0 ? 1 : 0;
}
