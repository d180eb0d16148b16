import { renderTable } from '../terminal/table.ts';
import { CHANGE_KINDS, type ChangeKind, type ChangeTally } from './changes.ts';
import type { ImportCounts } from './checkpoint.ts';
import { renderExamples } from './examples.ts';
import type { Reject } from './rejects.ts';

/** The counts of an import; `before` are those of an earlier run that this one goes on from. */
export function renderSummary(counts: ImportCounts, before: ImportCounts, seconds: number): string {
  const perSecond = Math.round((counts.read - before.read) / Math.max(seconds, 0.001));
  const rows: [string, string][] = [
    ['read', counts.read.toLocaleString('en')],
    ['written', counts.written.toLocaleString('en')],
    ['of these unchanged', counts.unchanged.toLocaleString('en')],
    ['rejected', counts.rejected.toLocaleString('en')],
    ...Object.entries(CHANGE_KINDS).map(([kind, words]): [string, string] => [
      words,
      counts.changes[kind as ChangeKind].toLocaleString('en'),
    ]),
    ['seconds', seconds.toFixed(1)],
    ['rows a second', perSecond.toLocaleString('en')],
  ];
  if (before.read > 0) rows.unshift(['done by an earlier run', before.read.toLocaleString('en')]);
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
