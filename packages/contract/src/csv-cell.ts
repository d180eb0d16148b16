/** A cell of a CSV table for a spreadsheet. A text that it would compute is marked as text, because names come from files and callers. */
export function renderCsvCell(value: unknown): string {
  const text = typeof value === 'string' && /^[=+@\t\r-]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
