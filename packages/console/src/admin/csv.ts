import { renderCsvCell } from '@loyalty/contract/csv-cell';

/** Tables as CSV for a spreadsheet: commas, a head of names, lines that end with CR LF, UTF-8. */

export const CSV_CONTENT_TYPE = 'text/csv; charset=utf-8';

export function renderCsv(columns: readonly string[], rows: readonly Readonly<Record<string, unknown>>[]): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))];
  return lines.map((cells) => `${cells.map(renderCsvCell).join(',')}\r\n`).join('');
}

/** True where the caller asks for CSV rather than JSON. */
export function wantsCsv(accept: string | undefined): boolean {
  return accept !== undefined && /(?:^|,)\s*text\/csv\b/i.test(accept);
}
