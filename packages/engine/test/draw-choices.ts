/**
 * `.toolchain/bin/node packages/engine/test/draw-choices.ts` prices the thousand recorded baskets of shops again and draws what they save,
 * as a part of the best that is known, beside what the engine before saved: docs/pictures/pricing-choices.svg. Best is the most of
 * both engines and of ten times the steps. It takes three minutes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { provideBenchPackages } from '../../../bench/packages.ts';
import { colourScale, type Drawing, LEGEND, type Picture } from '../../../bench/report/picture.ts';
import { renderSvg } from '../../../bench/report/render.ts';
import { PALETTE } from '../../tools/src/pictures/palette.ts';
import { DEFAULT_MAXIMUM_STEPS } from '../src/work.ts';
import { netCostOf, priceFully } from './support/price.ts';
import { drawShape } from './support/shapes.ts';

const before = JSON.parse(
  readFileSync(new URL('support/saved-before.json', import.meta.url), 'utf8'),
) as readonly number[];
const TARGET = join(import.meta.dirname, '..', '..', 'docs', 'pictures', 'pricing-choices.svg');
const ENGINES = { now: 'this engine', before: 'the engine before' } as const;
const PLOT = { width: 340, height: 260 } as const;

interface Sums {
  saved: number;
  savedBefore: number;
  best: number;
}

interface Point {
  readonly engine: string;
  readonly count: number;
  readonly share: number;
}

function addTo(sums: Map<number, Sums>, count: number, own: Sums): void {
  const all = sums.get(count) ?? { saved: 0, savedBefore: 0, best: 0 };
  sums.set(count, {
    saved: all.saved + own.saved,
    savedBefore: all.savedBefore + own.savedBefore,
    best: all.best + own.best,
  });
}

function pointsOf(sums: ReadonlyMap<number, Sums>): Point[] {
  return [...sums].flatMap(([count, { saved, savedBefore, best }]) => [
    { engine: ENGINES.now, count, share: (100 * saved) / best },
    { engine: ENGINES.before, count, share: (100 * savedBefore) / best },
  ]);
}

function plotOf(values: readonly Point[], title: string): Drawing {
  const y = {
    field: 'share',
    type: 'quantitative',
    scale: { zero: false, nice: true },
    title: 'saved, % of the best known',
  };
  return {
    ...PLOT,
    data: { values },
    mark: { type: 'line', point: { size: 30 } },
    encoding: {
      x: { field: 'count', type: 'quantitative', title },
      y,
      color: {
        field: 'engine',
        type: 'nominal',
        scale: colourScale(Object.values(ENGINES), { [ENGINES.now]: PALETTE.red, [ENGINES.before]: PALETTE.grey }),
        legend: { ...LEGEND, symbolType: 'stroke' },
      },
    },
  };
}

function leastOf(points: readonly Point[], engine: string): number {
  return Math.min(...points.filter((point) => point.engine === engine).map(({ share }) => share));
}

const byLines = new Map<number, Sums>();
const byBenefits = new Map<number, Sums>();
for (const [at, savedBefore] of before.entries()) {
  const { basket, benefits } = drawShape(at + 1);
  const [saved = 0, more = 0] = [DEFAULT_MAXIMUM_STEPS, 10 * DEFAULT_MAXIMUM_STEPS].map(
    (maximumSteps) => basket.totals.total - netCostOf(basket, priceFully(basket, [...benefits], { maximumSteps })),
  );
  const own = { saved, savedBefore, best: Math.max(saved, more, savedBefore) };
  addTo(byLines, basket.lines.length, own);
  addTo(byBenefits, benefits.length, own);
  if ((at + 1) % 100 === 0) console.log(`${at + 1} of ${before.length} baskets`);
}
const [lines, benefits] = [pointsOf(byLines), pointsOf(byBenefits)];
const all = [...lines, ...benefits];
const picture: Picture = {
  name: 'pricing-choices',
  title: 'What baskets of shops save, of the best known',
  description:
    'Savings as a percentage of the best known, over the number of lines and over the number of benefits. ' +
    Object.values(ENGINES)
      .map((engine) => `${engine}: ${leastOf(all, engine).toFixed(1)} % at least.`)
      .join(' '),
  drawing: { hconcat: [plotOf(lines, 'lines of the basket'), plotOf(benefits, 'benefits of the programme')] },
};
await provideBenchPackages();
writeFileSync(TARGET, await renderSvg(picture));
console.log(picture.description);
