import { splitKey, type Tally } from '../backtest/tally.ts';
import { INK, PALETTE } from '../pictures/palette.ts';
import { rect, svg, text, WIDTH } from '../pictures/svg.ts';
import { formatSum } from '../terminal/money.ts';

const TITLE = 'Cost per benefit, those that change most';
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
  const amount = (minorUnits: number, currency: string) => `${formatSum(minorUnits, currency)} ${currency}`;
  const bar = (y: number, minorUnits: number, colour: string, currency: string): string => {
    const width = Math.round((minorUnits / most) * (WIDTH - LABEL_WIDTH - AMOUNT_WIDTH));
    const label = text(LABEL_WIDTH + width + 8, y + BAR_HEIGHT - 3, amount(minorUnits, currency));
    return rect(LABEL_WIDTH, y, width, BAR_HEIGHT, colour) + label;
  };
  const bars = rows.flatMap(({ name, currency, current, draft }, index) => {
    const y = TOP + index * ROW_HEIGHT;
    return [
      text(LABEL_WIDTH - 12, y + BAR_HEIGHT + 5, name, { anchor: 'end', size: 13, colour: INK.text }),
      bar(y, current, COLOURS.current, currency),
      bar(y + BAR_HEIGHT + 2, draft, COLOURS.draft, currency),
    ];
  });
  const told = rows.map(
    ({ name, currency, current, draft }) =>
      `${name}: ${amount(current, currency)} now, ${amount(draft, currency)} with the draft.`,
  );
  const legend = [
    rect(LABEL_WIDTH, 48, 12, BAR_HEIGHT, COLOURS.current) + text(LABEL_WIDTH + 20, 60, 'now'),
    rect(LABEL_WIDTH + 90, 48, 12, BAR_HEIGHT, COLOURS.draft) + text(LABEL_WIDTH + 110, 60, 'with the draft'),
  ];
  return svg(TITLE, told.join(' '), TOP + rows.length * ROW_HEIGHT + 8, [...legend, ...bars]);
}
