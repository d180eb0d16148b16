import { once } from 'node:events';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { readCalculation } from '../../store/calculation-record.ts';
import { FINDINGS, type Finding, type FindingKind } from '../reconciliation/compare.ts';
import { reconcile } from '../reconciliation/reconcile.ts';
import { readTransactionLines } from '../reconciliation/transactions.ts';
import { openStore } from './open-store.ts';
import { Progress } from './progress.ts';
import { renderTable } from './table.ts';

/** `npm run reconcile -- transactions.ndjson [--out findings.ndjson]`: the caller's transactions against ours. */

const BAD_ROWS_SHOWN = 10;
const USAGE = 'usage: npm run reconcile -- transactions.ndjson [--out findings.ndjson]';

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`reconcile: ${(error as Error).message}\n`);
  process.exitCode = 2;
}

/** 0: nothing found. 1: something was found, or a row could not be read. */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { out: { type: 'string', default: 'findings.ndjson' } },
  });
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) throw new Error(USAGE);
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
        if (badRowsShown <= BAD_ROWS_SHOWN) process.stderr.write(`${file}:${line}: ${fault}; passed over\n`);
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
      [['matched', result.matched, 'nothing to report'], ...rows, ['bad rows', result.badRows, 'passed over']],
    ),
  );
  const found = kinds.some((kind) => result.counts[kind] > 0);
  if (found) process.stdout.write(`\nEach finding is a line of ${values.out}.\n`);
  return found || result.badRows > 0 ? 1 : 0;
}
