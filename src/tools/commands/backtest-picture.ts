import { splitKey, type Tally } from '../backtest/tally.ts';
import { INK, PALETTE } from '../pictures/palette.ts';
import { formatSum } from '../terminal/money.ts';

const TITLE = 'Cost per benefit, those that change most';
const WIDTH = 860;
const LABEL_WIDTH = 220;
const AMOUNT_WIDTH = 150;
const ROW_HEIGHT = 48;
const BAR_HEIGHT = 15;
const TOP = 84;
const MAX_BENEFITS = 15;
const COLOURS = { current: PALETTE.grey, draft: PALETTE.blue } as const;

/** Draws two bars per benefit as SVG, its cost now and with the draft, ordered by their difference. */
export function costPicture({ benefits }: Tally): string {
  const rows = [...benefits]
    .sort(([, a], [, b]) => Math.abs(b.draft - b.current) - Math.abs(a.draft - a.current))
    .slice(0, MAX_BENEFITS)
    .map(([key, { current, draft }]) => ({ ...splitKey(key), current, draft }));
  const most = Math.max(1, ...rows.flatMap(({ current, draft }) => [current, draft]));
  const height = TOP + rows.length * ROW_HEIGHT + 8;
  const amount = (minorUnits: number, currency: string) => `${formatSum(minorUnits, currency)} ${currency}`;
  const bars = rows.flatMap(({ name, currency, current, draft }, index) => {
    const y = TOP + index * ROW_HEIGHT;
    return [
      text(LABEL_WIDTH - 12, y + BAR_HEIGHT + 5, name, { anchor: 'end', size: 13, colour: INK.text }),
      bar(y, current / most, COLOURS.current, amount(current, currency)),
      bar(y + BAR_HEIGHT + 2, draft / most, COLOURS.draft, amount(draft, currency)),
    ];
  });
  const told = rows.map(
    ({ name, currency, current, draft }) =>
      `${name}: ${amount(current, currency)} now, ${amount(draft, currency)} with the draft.`,
  );
  const box = `width="${WIDTH}" height="${height}"`;
  return [
    `<svg role="img" xmlns="http://www.w3.org/2000/svg" ${box} viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif">`,
    `<title>${TITLE}</title>`,
    `<desc>${toXml(told.join(' '))}</desc>`,
    `<rect ${box} fill="${INK.ground}"/>`,
    text(16, 30, TITLE, { size: 16, colour: INK.text, weight: 600 }),
    rect(LABEL_WIDTH, 48, 12, COLOURS.current) + text(LABEL_WIDTH + 20, 60, 'now'),
    rect(LABEL_WIDTH + 90, 48, 12, COLOURS.draft) + text(LABEL_WIDTH + 110, 60, 'with the draft'),
    ...bars,
    '</svg>\n',
  ].join('\n');
}

function bar(y: number, share: number, colour: string, amount: string): string {
  const width = Math.round(share * (WIDTH - LABEL_WIDTH - AMOUNT_WIDTH));
  return rect(LABEL_WIDTH, y, width, colour) + text(LABEL_WIDTH + width + 8, y + BAR_HEIGHT - 3, amount);
}

function rect(x: number, y: number, width: number, colour: string): string {
  return `<rect x="${x}" y="${y}" width="${width}" height="${BAR_HEIGHT}" fill="${colour}"/>`;
}

interface TextStyle {
  readonly anchor?: 'start' | 'end';
  readonly size?: number;
  readonly colour?: string;
  readonly weight?: number;
}

function text(x: number, y: number, content: string, style: TextStyle = {}): string {
  const { anchor = 'start', size = 12, colour = INK.quiet, weight = 400 } = style;
  const look = `text-anchor="${anchor}" font-size="${size}" font-weight="${weight}" fill="${colour}"`;
  return `<text x="${x}" y="${y}" ${look}>${toXml(content)}</text>`;
}

function toXml(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
