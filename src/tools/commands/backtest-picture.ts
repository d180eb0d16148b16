import { splitKey, type Tally } from '../backtest/tally.ts';
import { formatSum } from '../terminal/money.ts';

const TITLE = 'Cost per benefit, those that change most';
const WIDTH = 860;
const LABEL_WIDTH = 220;
const AMOUNT_WIDTH = 130;
const ROW_HEIGHT = 44;
const TOP = 64;
const MAX_BENEFITS = 15;
const COLOURS = { current: '#8d99ae', draft: '#2e86ab' } as const;

/** Two bars per benefit as SVG: what it costs now and with the draft. Those that change most stand first. */
export function costPicture({ benefits }: Tally): string {
  const rows = [...benefits]
    .sort(([, a], [, b]) => Math.abs(b.draft - b.current) - Math.abs(a.draft - a.current))
    .slice(0, MAX_BENEFITS)
    .map(([key, { current, draft }]) => ({ ...splitKey(key), current, draft }));
  const most = Math.max(1, ...rows.flatMap(({ current, draft }) => [current, draft]));
  const height = TOP + rows.length * ROW_HEIGHT + 16;
  const bars = rows.flatMap(({ name, currency, current, draft }, index) => {
    const y = TOP + index * ROW_HEIGHT;
    return [
      text(LABEL_WIDTH - 10, y + 21, name, 'end'),
      bar(y, current / most, COLOURS.current, `${formatSum(current, currency)} ${currency}`),
      bar(y + 16, draft / most, COLOURS.draft, `${formatSum(draft, currency)} ${currency}`),
    ];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">`,
    `<title>${TITLE}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    text(WIDTH / 2, 22, TITLE, 'middle'),
    box(LABEL_WIDTH, 36, 12, COLOURS.current) + text(LABEL_WIDTH + 18, 46, 'now'),
    box(LABEL_WIDTH + 90, 36, 12, COLOURS.draft) + text(LABEL_WIDTH + 108, 46, 'with the draft'),
    ...bars,
    '</svg>\n',
  ].join('\n');
}

function bar(y: number, share: number, colour: string, amount: string): string {
  const width = Math.round(share * (WIDTH - LABEL_WIDTH - AMOUNT_WIDTH));
  return box(LABEL_WIDTH, y, width, colour) + text(LABEL_WIDTH + width + 6, y + 11, amount);
}

function box(x: number, y: number, width: number, colour: string): string {
  return `<rect x="${x}" y="${y}" width="${width}" height="14" fill="${colour}"/>`;
}

function text(x: number, y: number, content: string, anchor = 'start'): string {
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="#333">${escaped}</text>`;
}
