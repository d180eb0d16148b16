import type { RowVerdict, Verdict } from './verdict.ts';

/** The verdict for people: the sum in one line, then the wrong rows, the right ones, and those that were not played. */
export function renderVerdict({ verdict, counts, rows }: Verdict): string {
  const { right, wrong, notPlayed } = counts;
  const sum = `Verdict: ${verdict}. ${right} rows right, ${wrong} wrong, ${notPlayed} not played.\n`;
  const order: readonly RowVerdict['verdict'][] = ['wrong', 'right', 'not played'];
  const blocks = order.map((kind) =>
    rows
      .filter((row) => row.verdict === kind)
      .map(renderRow)
      .join(''),
  );
  return [sum, ...blocks.filter((block) => block !== '')].join('\n');
}

function renderRow({ code, verdict, why }: RowVerdict): string {
  return `${verdict.padEnd(10)}  ${code}: ${why}\n`;
}
