import { FRAME, HEIGHT, line, type Picture, path, picture, rect, text, WIDTH } from '../report/picture.ts';
import { showNumber } from '../report/spread.ts';
import { BENEFITS, type GrowthCell } from './growth.ts';
import { median } from './measure.ts';
import { PROGRAMMES, type ProgrammeName } from './programmes.ts';

const PROGRAMME_COLOURS: Readonly<Record<ProgrammeName, string>> = {
  'percent by group': '#3a7d44',
  'mixed by group': '#2e86ab',
  'everything, line kinds': '#e0a030',
  'everything, mixed': '#d1495b',
};
const DECADE = 10;
const BASE = HEIGHT - FRAME.bottom;

/**
 * Cost over work, both logarithmic: one line per number of benefits. Cost that grows as fast as the work runs along the
 * grey diagonals, and flatter when it grows slower.
 */
export function growthPicture(cells: readonly GrowthCell[]): Picture {
  const shown = cells.flatMap((cell) => (cell.costs && cell.work > 0 ? [{ ...cell, cost: median(cell.costs) }] : []));
  const [fromX, toX] = decades(shown.map(({ work }) => work));
  const [fromY, toY] = decades(shown.map(({ cost }) => cost));
  const x = (work: number): number =>
    FRAME.left + ((Math.log10(work) - fromX) / (toX - fromX)) * (WIDTH - FRAME.left - FRAME.right);
  const y = (cost: number): number => BASE - ((Math.log10(cost) - fromY) / (toY - fromY)) * (BASE - FRAME.top);

  const content: string[] = [];
  for (let decade = fromX; decade <= toX; decade += 1) {
    const at = x(DECADE ** decade);
    content.push(
      line(at, FRAME.top, at, BASE),
      text(at, BASE + 18, showNumber(DECADE ** decade), { anchor: 'middle' }),
    );
  }
  for (let decade = fromY; decade <= toY; decade += 1) {
    const at = y(DECADE ** decade);
    content.push(line(FRAME.left, at, WIDTH - FRAME.right, at));
    content.push(text(FRAME.left - 8, at + 4, showNumber(DECADE ** decade), { anchor: 'end' }));
  }
  for (let offset = fromY - toX; offset <= toY - fromX; offset += 1) {
    const [low, high] = [Math.max(fromX, fromY - offset), Math.min(toX, toY - offset)];
    const end = (decade: number): [number, number] => [x(DECADE ** decade), y(DECADE ** (decade + offset))];
    if (low < high) content.push(line(...end(low), ...end(high), '#b8b8b8'));
  }
  PROGRAMMES.forEach((programme, index) => {
    const colour = PROGRAMME_COLOURS[programme];
    content.push(rect(FRAME.left + index * 180, 32, 12, 8, colour), text(FRAME.left + index * 180 + 18, 40, programme));
    for (const benefits of BENEFITS) {
      const series = shown.filter((cell) => cell.programme === programme && cell.benefits === benefits);
      const points = series.map(({ work, cost }) => [x(work), y(cost)] as const);
      if (points.length > 1) content.push(path(points, colour));
      for (const [px, py] of points) content.push(rect(px - 2, py - 2, 4, 4, colour));
    }
  });
  content.push(
    text(WIDTH / 2, HEIGHT - 14, 'lines × matching benefits; the grey diagonals grow as fast', { anchor: 'middle' }),
    text(8, FRAME.top - 22, 'CPU-µs'),
  );
  return picture('pricing-growth', 'Cost of pricing one basket', content);
}

/** Whole powers of ten around all values. */
function decades(values: readonly number[]): [number, number] {
  const from = Math.floor(Math.log10(Math.min(...values)));
  const to = Math.ceil(Math.log10(Math.max(...values)));
  return [from, Math.max(to, from + 1)];
}
