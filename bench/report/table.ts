import { renderTable } from '../../packages/tools/src/terminal/table.ts';

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

/** Renders the table as text; all columns but the first contain figures. */
export function toText({ title, head, rows }: Table): string {
  return `${title}\n${renderTable(head, rows, (column) => column > 0)}`;
}
