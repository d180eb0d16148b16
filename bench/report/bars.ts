import { PALETTE } from '../../packages/tools/src/pictures/palette.ts';
import { colourScale, LEGEND, type Picture, PLOT } from './picture.ts';
import { showNumber } from './spread.ts';

export interface Bar {
  readonly label: string;
  readonly parts: Readonly<Record<string, number>>;
}

const PART_COLOURS = { process: PALETTE.blue, redis: PALETTE.amber };
const ROW_HEIGHT = 52;

/** Draws one bar per label, stacked of the same parts, with its sum behind it. */
export function barPicture(name: string, title: string, unit: string, bars: readonly Bar[]): Picture {
  const parts = Object.keys(bars[0]?.parts ?? {});
  const values = bars.flatMap(({ label, parts: of }) =>
    parts.map((part, order) => ({ label, part, order, value: of[part] ?? 0 })),
  );
  const sums = bars.map(({ label, parts: of }) => {
    const sum = parts.reduce((all, part) => all + (of[part] ?? 0), 0);
    return { label, sum, shown: `${showNumber(sum)} ${unit}` };
  });
  const y = { field: 'label', type: 'nominal', sort: null, axis: { title: null, ticks: false, labelFontSize: 13 } };
  return {
    name,
    title,
    description: `${sums.map(({ label, shown }) => `${label}: ${shown}.`).join(' ')}`,
    drawing: {
      width: PLOT.width - 90,
      height: { step: ROW_HEIGHT },
      layer: [
        {
          data: { values },
          mark: { type: 'bar', height: { band: 0.6 } },
          encoding: {
            y,
            x: {
              field: 'value',
              type: 'quantitative',
              axis: { title: unit, tickCount: 6 },
              scale: { nice: true },
              stack: 'zero',
            },
            color: { field: 'part', type: 'nominal', scale: colourScale(parts, PART_COLOURS), legend: LEGEND },
            order: { field: 'order' },
          },
        },
        {
          data: { values: sums },
          mark: { type: 'text', align: 'left', dx: 8, fontSize: 13 },
          encoding: { y, x: { field: 'sum', type: 'quantitative' }, text: { field: 'shown' } },
        },
      ],
    },
  };
}
