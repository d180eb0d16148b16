import { isJudged, type Judgement, type Mutant } from './mutant.ts';

/** A room's mutants, counted. */
interface Row {
  readonly room: string;
  readonly mutants: number;
  readonly found: number;
  readonly surviving: number;
  readonly equivalent: number;
}

export function survivorsOf(mutants: readonly Mutant[], judgements: readonly Judgement[]): Mutant[] {
  return mutants.filter((mutant) => !mutant.isFound && !isJudged(mutant, judgements));
}

/** The table in Markdown: a row for each folder, and all of them together where there are several. */
export function renderTable(mutants: readonly Mutant[], judgements: readonly Judgement[]): string {
  const rooms = [...Map.groupBy(mutants, ({ file }) => file.slice(0, file.lastIndexOf('/')))];
  const rows = rooms.map(([room, own]) => count(room, own, judgements));
  if (rows.length > 1) rows.push(count('all', mutants, judgements));
  return [
    '| room | mutants | found by the quick loop | surviving | equivalent | found of those that change something |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map(
      (row) =>
        `| ${row.room} | ${row.mutants} | ${row.found} | ${row.surviving} | ${row.equivalent} | ${percentFound(row)} |`,
    ),
  ].join('\n');
}

function count(room: string, mutants: readonly Mutant[], judgements: readonly Judgement[]): Row {
  const found = mutants.filter(({ isFound }) => isFound).length;
  const surviving = survivorsOf(mutants, judgements).length;
  return { room, mutants: mutants.length, found, surviving, equivalent: mutants.length - found - surviving };
}

function percentFound({ found, surviving }: Row): string {
  const changing = found + surviving;
  return changing === 0 ? '' : `${((100 * found) / changing).toFixed(1)} %`;
}

export function describe({ file, start, change, lines, ...mutant }: Mutant): string {
  const { original, replacement } = lines ?? mutant;
  return `${file}:${start.line} ${change}: ${shorten(original)} → ${shorten(replacement)}`;
}

function shorten(text: string): string {
  return text.length > 110 ? `${text.slice(0, 107)}…` : text;
}
