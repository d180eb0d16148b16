/** Plain-text tables for the tools and the benchmark. */
export type Cell = string | number;

/**
 * Renders rows under a header, every column as wide as its widest cell. Columns of numbers, or those that `isRight`
 * selects, are aligned to the right.
 */
export function renderTable(
  header: readonly string[],
  rows: readonly (readonly Cell[])[],
  isRight: (column: number) => boolean = isNumericIn(rows),
): string {
  const texts = [header, ...rows].map((row) => row.map(String));
  const widths = header.map((_, column) => Math.max(...texts.map((row) => width(row[column] ?? ''))));
  const isRightAligned = header.map((_, column) => isRight(column));
  const line = (row: readonly string[]): string =>
    row
      .map((text, column) => pad(text, widths[column] ?? 0, isRightAligned[column] ?? false))
      .join('  ')
      .trimEnd();
  const rule = widths.map((columnWidth) => '─'.repeat(columnWidth)).join('  ');
  const [head, ...body] = texts.map(line);
  return `${head}\n${rule}\n${body.join('\n')}${body.length > 0 ? '\n' : ''}`;
}

function isNumericIn(rows: readonly (readonly Cell[])[]): (column: number) => boolean {
  return (column) => rows.length > 0 && rows.every((row) => /^[−-]?[\d., ]*$/.test(String(row[column] ?? '')));
}

function pad(text: string, columnWidth: number, isRight: boolean): string {
  const blanks = ' '.repeat(Math.max(0, columnWidth - width(text)));
  return isRight ? blanks + text : text + blanks;
}

function width(text: string): number {
  return [...text].length;
}
