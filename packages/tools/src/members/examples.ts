import { formatCount } from '../terminal/money.ts';

/** As many lines of a sort are shown as tell what is wrong with a list. */
export const MOST_SHOWN = 10;

/** Renders the first lines below a title, with their number where there are more; nothing where there are none. */
export function renderExamples(title: string, lines: readonly string[], count = lines.length): string {
  const shown = lines.slice(0, MOST_SHOWN);
  const more = count > shown.length ? `, ${shown.length} of ${formatCount(count)}` : '';
  return shown.length === 0 ? '' : `\n${title}${more}:\n${shown.map((line) => `  ${line}\n`).join('')}`;
}
