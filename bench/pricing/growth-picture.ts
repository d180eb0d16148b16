import { INK, PALETTE } from '../../packages/tools/src/pictures/palette.ts';
import { colourScale, type Drawing, decadeAxis, decadesAround, LEGEND, type Picture, PLOT } from '../report/picture.ts';
import { showNumber } from '../report/spread.ts';
import type { GrowthCell } from './growth.ts';
import { median } from './measure.ts';
import { PROGRAMMES, type ProgrammeName } from './programmes.ts';

const PROGRAMME_COLOURS: Readonly<Record<ProgrammeName, string>> = {
  'percent by group': PALETTE.green,
  'mixed by group': PALETTE.blue,
  'everything, line kinds': PALETTE.amber,
  'everything, mixed': PALETTE.red,
};

/**
 * Draws cost over work, both logarithmic, with one line per number of benefits. A cost that grows like the work follows
 * the grey diagonals; a cost that grows more slowly is flatter.
 */
export function growthPicture(cells: readonly GrowthCell[]): Picture {
  const values = cells.flatMap(({ programme, benefits, work, costs }) =>
    costs && work > 0 ? [{ programme, benefits, work, cost: median(costs) }] : [],
  );
  const works = decadesAround(values.map(({ work }) => work));
  const costs = decadesAround(values.map(({ cost }) => cost));
  const x = {
    type: 'quantitative',
    ...decadeAxis(works, 'lines × matching benefits (the grey diagonals grow as fast)'),
  };
  const y = { type: 'quantitative', ...decadeAxis(costs, 'CPU time for one basket', ' µs') };
  return {
    name: 'pricing-growth',
    title: 'Cost of pricing one basket',
    description:
      'CPU time over lines times matching benefits, both logarithmic, one line per programme and number of benefits. ' +
      PROGRAMMES.map((programme) => describe(programme, values)).join(' '),
    drawing: {
      ...PLOT,
      layer: [
        diagonals(works, costs, x, y),
        {
          data: { values },
          mark: { type: 'line', point: { size: 24 } },
          encoding: {
            x: { field: 'work', ...x },
            y: { field: 'cost', ...y },
            detail: { field: 'benefits' },
            color: {
              field: 'programme',
              type: 'nominal',
              scale: colourScale(PROGRAMMES, PROGRAMME_COLOURS),
              legend: { ...LEGEND, symbolType: 'stroke' },
            },
          },
        },
      ],
    },
  };
}

/** Draws lines on which cost is proportional to work, one per decade, clipped at the frame. */
function diagonals(works: readonly number[], costs: readonly number[], x: Drawing, y: Drawing): Drawing {
  const [lowWork, highWork] = [works[0]!, works.at(-1)!];
  const [lowCost, highCost] = [costs[0]!, costs.at(-1)!];
  const first = Math.round(Math.log10(lowCost / highWork));
  const last = Math.round(Math.log10(highCost / lowWork));
  const values = Array.from({ length: last - first + 1 }, (_, index) => {
    const factor = 10 ** (first + index);
    const from = Math.max(lowWork, lowCost / factor);
    const to = Math.min(highWork, highCost / factor);
    return { from, to, fromCost: from * factor, toCost: to * factor };
  });
  return {
    data: { values: values.filter(({ from, to }) => from < to) },
    mark: { type: 'rule', color: INK.axis, opacity: 0.5, strokeDash: [4, 4] },
    encoding: {
      x: { field: 'from', ...x },
      x2: { field: 'to' },
      y: { field: 'fromCost', ...y },
      y2: { field: 'toCost' },
    },
  };
}

function describe(
  programme: ProgrammeName,
  values: readonly { readonly programme: ProgrammeName; readonly work: number; readonly cost: number }[],
): string {
  const own = values.filter((value) => value.programme === programme).sort((a, b) => a.work - b.work);
  const [least, most] = [own[0], own.at(-1)];
  if (!least || !most) return `${programme}: not measured.`;
  const tell = ({ work, cost }: { work: number; cost: number }) => `${showNumber(cost)} µs at ${showNumber(work)}`;
  return `${programme}: ${tell(least)}, ${tell(most)}.`;
}
