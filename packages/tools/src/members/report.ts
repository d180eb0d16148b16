import { formatCount } from '../terminal/money.ts';
import { renderTable } from '../terminal/table.ts';
import { CHANGE_KINDS, type ChangeKind, type ChangeTally } from './changes.ts';
import type { ImportCounts } from './checkpoint.ts';
import { renderExamples } from './examples.ts';
import type { Reject } from './rejects.ts';

/** The counts of an import; `before` are those of an earlier run that this one goes on from. */
export function renderSummary(
  counts: ImportCounts,
  before: ImportCounts,
  { seconds, isDryRun }: { readonly seconds: number; readonly isDryRun: boolean },
): string {
  const perSecond = (counts.read - before.read) / Math.max(seconds, 0.001);
  const kinds = Object.keys(CHANGE_KINDS) as ChangeKind[];
  const rows: [string, string][] = [
    ['read', formatCount(counts.read)],
    [isDryRun ? 'would be written' : 'written', formatCount(counts.written)],
    ['of these unchanged', formatCount(counts.unchanged)],
    ['rejected', formatCount(counts.rejected)],
    ...kinds.map((kind): [string, string] => [CHANGE_KINDS[kind], formatCount(counts.changes[kind])]),
    ['seconds', seconds.toFixed(1)],
    ['rows a second', formatCount(perSecond)],
  ];
  if (before.read > 0) rows.unshift(['done by an earlier run', formatCount(before.read)]);
  return renderTable(['members', 'count'], rows);
}

/** Up to ten examples of each kind of change, by which a mistaken column is recognised. */
export function renderChanges({ examples, counts }: ChangeTally): string {
  return [...examples].map(([kind, found]) => renderExamples(CHANGE_KINDS[kind], found, counts[kind])).join('');
}

/** The first rejected rows: row, column, what was found and what to do. */
export function renderRejects(rejected: number, first: readonly Reject[]): string {
  const lines = first.map(({ line, lastLine, field, reason }) => {
    const place = lastLine === undefined ? `line ${line}` : `lines ${line} to ${lastLine}`;
    return `${place}${field === '' ? '' : `, ${field}`}: ${reason}`;
  });
  return renderExamples('rejected', lines, rejected);
}
