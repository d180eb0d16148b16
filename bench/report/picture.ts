import { INK, PALETTE } from '../../packages/tools/src/pictures/palette.ts';

/** A picture as data: a drawing in Vega-Lite's grammar, which `render.ts` turns into SVG. */

export interface Picture {
  /** File name without its ending. */
  readonly name: string;
  readonly title: string;
  /** A text for readers who cannot see it: the axes and the important figures. */
  readonly description: string;
  readonly drawing: Drawing;
}

/** A part of a Vega-Lite specification; its own types are in a package that only the benchmark has. */
export type Drawing = Readonly<Record<string, unknown>>;

/** Size of the plot without axes, titles and legend. */
export const PLOT = { width: 760, height: 320 } as const;

const COLOURS: Readonly<Record<string, string>> = {
  service: PALETTE.red,
  floor: PALETTE.grey,
  fastify: PALETTE.blue,
  express: PALETTE.amber,
};
const MORE_COLOURS = [PALETTE.green, PALETTE.violet, PALETTE.teal, PALETTE.brown, PALETTE.blue, PALETTE.amber];

/** Builds the scale of the channel `color`; a contestant has the same colour in all pictures. */
export function colourScale(labels: readonly string[], colours: Readonly<Record<string, string>> = COLOURS): Drawing {
  let used = 0;
  const range = labels.map((label) => colours[label] ?? MORE_COLOURS[used++ % MORE_COLOURS.length]!);
  return { domain: labels, range };
}

/** A legend in a row above the plot. */
export const LEGEND = { orient: 'top', title: null, direction: 'horizontal' } as const;

/** The style of all drawings. */
export const STYLE: Drawing = {
  background: INK.ground,
  font: 'system-ui, sans-serif',
  padding: 16,
  aria: false,
  view: { stroke: null },
  title: { anchor: 'start', fontSize: 16, fontWeight: 600, color: INK.text, offset: 12, subtitleColor: INK.quiet },
  axis: {
    labelFontSize: 12,
    titleFontSize: 12,
    titleFontWeight: 'normal',
    labelColor: INK.quiet,
    titleColor: INK.text,
    gridColor: INK.grid,
    domainColor: INK.axis,
    tickColor: INK.axis,
    titlePadding: 8,
    labelPadding: 6,
  },
  legend: {
    labelFontSize: 13,
    labelColor: INK.text,
    labelLimit: 0,
    symbolStrokeWidth: 3,
    symbolSize: 180,
    columnPadding: 24,
  },
  line: { strokeWidth: 2.2 },
  text: { color: INK.quiet, fontSize: 12 },
};

/** Returns the powers of ten around all values, at least one decade. */
export function decadesAround(values: readonly number[]): number[] {
  const from = Math.floor(Math.log10(Math.min(...values)));
  const to = Math.max(from + 1, Math.ceil(Math.log10(Math.max(...values))));
  return Array.from({ length: to - from + 1 }, (_, index) => Number(`1e${from + index}`));
}

/** Builds an axis in powers of ten, each with its number and unit. */
export function decadeAxis(decades: readonly number[], title: string, unit = ''): Drawing {
  return {
    scale: { type: 'log', domain: [decades[0], decades.at(-1)], nice: false },
    axis: { title, values: decades, labelExpr: `format(datum.value, datum.value < 1 ? '~g' : ',') + '${unit}'` },
  };
}
