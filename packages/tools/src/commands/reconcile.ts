import { closeSync, createReadStream, openSync, writeFileSync } from 'node:fs';
import { parseDate } from '@loyalty/engine/compile/calendar';
import { FINDINGS, type FindingKind, NOTES } from '../reconciliation/compare.ts';
import { type Period, reconcile } from '../reconciliation/reconcile.ts';
import { readSoldEvents } from '../reconciliation/sold-events.ts';
import { readTransactions } from '../reconciliation/transactions.ts';
import { Progress } from '../terminal/progress.ts';
import { renderTable } from '../terminal/table.ts';
import { assertInputFile, assertNotInput, assertOutputFile } from './input-file.ts';
import { openStore } from './open-store.ts';

/** `reconcile transactions.ndjson`: compares the caller's transactions with ours, and ours with the caller's. */

const BAD_ROWS_SHOWN = 10;

/** Resolves with 0 when the books agree, and with 1 on a finding or an unreadable row. */
export async function reconcileTransactions(
  file: string,
  { out, ...period }: Period & { readonly out: string },
): Promise<number> {
  for (const [name, day] of Object.entries(period)) {
    if (day !== undefined && parseDate(day) === undefined)
      throw new Error(`--${name}: found ${JSON.stringify(day)}, allowed: a day such as 2026-11-21`);
  }
  const { from, to } = period;
  if (from !== undefined && to !== undefined && to < from)
    throw new Error(`--to: found ${JSON.stringify(to)}, allowed: a day from ${from} on`);
  assertInputFile(file);
  assertOutputFile('--out', out);
  assertNotInput('--out', out, [file]);
  const { counts, matched, badRows, days } = await reconcileFile(file, out, period);
  const kinds = Object.keys(FINDINGS) as FindingKind[];
  const rows = kinds.map((kind) => [kind, counts[kind], FINDINGS[kind]] as const);
  process.stdout.write(
    renderTable(
      ['finding', 'count', 'meaning'],
      [['matched', matched, 'nothing to report'], ...rows, ['bad rows', badRows, 'skipped']],
    ),
  );
  const compared = days.length === 0 ? 'no day' : days.join(', ');
  process.stdout.write(`\nThe sales of the service were looked for in the file: of ${compared}.\n`);
  const found = kinds.filter((kind) => counts[kind] > 0);
  if (found.length > 0) process.stdout.write(`\nEach finding is a line of ${out}.\n`);
  return found.some((kind) => !NOTES.has(kind)) || badRows > 0 ? 1 : 0;
}

async function reconcileFile(file: string, out: string, period: Period): ReturnType<typeof reconcile> {
  const { store, environment } = await openStore();
  try {
    const sold = await readSoldEvents(store, environment);
    let findings: number | undefined;
    const open = (): number => {
      findings ??= openSync(out, 'w');
      return findings;
    };
    const progress = new Progress('transactions');
    let [badRowsShown, rowsRead] = [0, 0];
    const result = await reconcile(readTransactions(createReadStream(file)), {
      store,
      sold,
      period,
      onFinding: (finding) => {
        // These come after all rows: where there is none, the earlier findings stay.
        if (finding.kind === 'missing_transaction' && rowsRead === 0) return;
        writeFileSync(open(), `${JSON.stringify(finding)}\n`);
      },
      onBadRow: ({ line, fault }) => {
        badRowsShown += 1;
        if (badRowsShown <= BAD_ROWS_SHOWN) process.stderr.write(`${file}:${line}: ${fault}; skipped\n`);
      },
      onProgress: (rows) => {
        rowsRead = rows;
        progress.show(rows);
      },
    });
    const rows = result.transactions + result.badRows;
    // A failed export would look like books that agree.
    if (rows === 0) throw new Error(`${file} is empty; one line per transaction is required`);
    closeSync(open());
    progress.finish(rows);
    return result;
  } finally {
    store.connection.close();
  }
}
