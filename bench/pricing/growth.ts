import { showNumber } from '../report/spread.ts';
import type { Table } from '../report/table.ts';
import { answerCell, BASKETS_PER_CELL, type Cell, finishesWithin, type PreparedCell, prepareCell } from './cell.ts';
import { figuresOf, measureInTurns, median } from './measure.ts';
import type { ProgrammeName } from './programmes.ts';

/** Measures how the cost of pricing grows with lines and benefits. */

const LINES = [5, 10, 20, 50, 100, 200] as const;
const BENEFITS = [1, 5, 20, 100, 500] as const;

export interface GrowthCell extends Cell {
  /** Lines × benefits that are open and name at least one of them, on average over the baskets. */
  readonly work: number;
  /** CPU-µs of one basket, one figure per round; undefined when the cell was not finished in time. */
  readonly costs: readonly number[] | undefined;
}

export interface Growth {
  /** Slope of log cost over log work over all finished cells; 1 means growth like the work. */
  readonly exponent: number;
  /** The step to a neighbouring cell with the highest ratio of cost factor to work factor. */
  readonly worstStep: { readonly factor: number; readonly from: GrowthCell; readonly to: GrowthCell } | undefined;
  readonly unfinished: number;
}

/** The tolerated ratio of cost growth to work growth; a higher one is more than noise. */
const TOLERATED_FACTOR = 1.25;
const PROBE_MS = 3000;
const TURN_CPU_MS = 4;
const TURNS_PER_ROUND = 4;

export async function measureGrowth(programme: ProgrammeName, rounds: number): Promise<GrowthCell[]> {
  const cells: Cell[] = LINES.flatMap((lines) => BENEFITS.map((benefits) => ({ programme, lines, benefits })));
  const endless: Cell[] = [];
  const finished: PreparedCell[] = [];
  for (const cell of cells) {
    // A cell that contains an unfinished one is skipped.
    const isHopeless = endless.some(({ lines, benefits }) => lines <= cell.lines && benefits <= cell.benefits);
    if (!isHopeless && finishesWithin(cell, PROBE_MS)) finished.push(prepareCell(cell));
    else endless.push(cell);
  }
  const figures = await measureInTurns(
    finished.map((cell) => ({ name: nameOf(cell), run: (turn) => answerCell(cell, turn) })),
    { rounds, turnsPerRound: TURNS_PER_ROUND, cpuMs: TURN_CPU_MS, batch: BASKETS_PER_CELL },
  );
  return cells.map((cell) => {
    const { matchingBenefits } = prepareCell(cell);
    const isFinished = !endless.includes(cell);
    return {
      ...cell,
      work: cell.lines * matchingBenefits,
      costs: isFinished ? figuresOf(figures, nameOf(cell)) : undefined,
    };
  });
}

function nameOf({ lines, benefits }: Cell): string {
  return `${lines} × ${benefits}`;
}

export function judgeGrowth(cells: readonly GrowthCell[]): Growth {
  let worstStep: Growth['worstStep'];
  for (const from of cells) {
    for (const to of neighboursOf(from, cells)) {
      if (!from.costs || !to.costs || from.work === 0 || to.work <= from.work) continue;
      const factor = median(to.costs) / median(from.costs) / (to.work / from.work);
      if (!worstStep || factor > worstStep.factor) worstStep = { factor, from, to };
    }
  }
  const unfinished = cells.filter(({ costs }) => !costs).length;
  return { exponent: slope(cells), worstStep, unfinished };
}

/** Finds the next larger cell in either direction. */
function neighboursOf({ lines, benefits }: GrowthCell, cells: readonly GrowthCell[]): GrowthCell[] {
  const moreLines = LINES.find((candidate) => candidate > lines);
  const moreBenefits = BENEFITS.find((candidate) => candidate > benefits);
  return cells.filter(
    (cell) =>
      (cell.lines === moreLines && cell.benefits === benefits) ||
      (cell.lines === lines && cell.benefits === moreBenefits),
  );
}

function slope(cells: readonly GrowthCell[]): number {
  const points = cells.flatMap(({ work, costs }) =>
    costs && work > 0 ? [[Math.log(work), Math.log(median(costs))] as const] : [],
  );
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / points.length;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / points.length;
  const covariance = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return covariance / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}

/** CPU-µs per basket, the worst round of each cell. */
export function growthTable(programme: ProgrammeName, cells: readonly GrowthCell[]): Table {
  const show = (cell: GrowthCell | undefined): string =>
    cell?.costs ? showNumber(Math.max(...cell.costs)) : `over ${PROBE_MS / 1000} s`;
  return {
    title: `${programme}: CPU-µs per basket, worst round`,
    head: ['lines', ...BENEFITS.map((benefits) => `${benefits} benefits`)],
    rows: LINES.map((lines) => [
      String(lines),
      ...BENEFITS.map((benefits) => show(cells.find((cell) => cell.lines === lines && cell.benefits === benefits))),
    ]),
  };
}

/** Describes the growth in a sentence, and tells whether cost grows at most like lines × matching benefits. */
export function describeGrowth(programme: ProgrammeName, cells: readonly GrowthCell[]): string {
  const { exponent, worstStep, unfinished } = judgeGrowth(cells);
  const isKept = unfinished === 0 && (worstStep?.factor ?? 0) <= TOLERATED_FACTOR;
  const step = worstStep
    ? `the worst single step is ${nameOf(worstStep.from)} → ${nameOf(worstStep.to)} with ${showNumber(worstStep.factor)} times the growth of the work`
    : 'no step grows the work';
  const rest = unfinished === 0 ? '' : `; ${unfinished} of ${cells.length} cells were not finished in time`;
  return `${isKept ? 'holds' : 'DOES NOT HOLD'} for ${programme}: cost grows as work^${exponent.toFixed(2)}; ${step}${rest}.`;
}
