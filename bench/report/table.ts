/** A table as plain text and as Markdown. */
export interface Table {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export function toMarkdown({ title, head, rows }: Table): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [`**${title}**`, '', line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n');
}

export function toText({ title, head, rows }: Table): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => (row[column] ?? '').length)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ');
  return [title, line(head), widths.map((width) => '─'.repeat(width)).join('  '), ...rows.map(line), ''].join('\n');
}
