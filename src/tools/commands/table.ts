/** Plain-text tables for people. Columns of numbers are aligned to the right. */
export type Cell = string | number;

/** Renders rows under a header, every column as wide as its widest cell. */
export function renderTable(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const texts = [header, ...rows].map((row) => row.map(String));
  const widths = header.map((_, column) => Math.max(...texts.map((row) => width(row[column] ?? ''))));
  const isNumeric = header.map(
    (_, column) => rows.length > 0 && rows.every((row) => /^[−-]?[\d., ]*$/.test(String(row[column] ?? ''))),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((text, column) => pad(text, widths[column] ?? 0, isNumeric[column] ?? false))
      .join('  ')
      .trimEnd();
  const rule = widths.map((columnWidth) => '─'.repeat(columnWidth)).join('  ');
  const [head, ...body] = texts.map(line);
  return `${head}\n${rule}\n${body.join('\n')}${body.length > 0 ? '\n' : ''}`;
}

/** Minor units as a person reads them, with two decimals: 3900 → 39.00. */
export function formatMoney(minorUnits: number): string {
  const sign = minorUnits < 0 ? '−' : '';
  const digits = String(Math.abs(minorUnits)).padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

function pad(text: string, columnWidth: number, isNumeric: boolean): string {
  const blanks = ' '.repeat(Math.max(0, columnWidth - width(text)));
  return isNumeric ? blanks + text : text + blanks;
}

function width(text: string): number {
  return [...text].length;
}
