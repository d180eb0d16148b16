/** Which benefits that give the cheapest units are tried to draw, and what is known where not every choice was tried. */
import { expect, test } from 'vitest';
import { chooseDrawing } from '../src/choose/which-draw.ts';
import type { DrawingOffer } from '../src/offers/offers.ts';
import { Work } from '../src/work.ts';

const offersOf = (count: number): DrawingOffer[] =>
  Array.from({ length: count }, (_, ordinal) => ({ benefit: { ordinal } }) as unknown as DrawingOffer);
const ordinalsOf = (offers: readonly DrawingOffer[]): number[] => offers.map(({ benefit }) => benefit.ordinal);

interface Tried {
  readonly total: number;
  readonly mostMissed: number;
  readonly drawing: readonly number[];
}

/** What the basket costs where these draw; undefined where they may not. */
type Cost = (drawing: readonly number[]) => number | undefined;

function chosenOf(count: number, costOf: Cost, { work = new Work(1_000_000), mostMissed = 0, steps = 0 } = {}) {
  const tried: string[] = [];
  const shares: number[] = [];
  const best: Tried = chooseDrawing(offersOf(count), work, (own) => {
    const drawing = ordinalsOf(own);
    tried.push(drawing.join());
    shares.push(work.left);
    work.count(steps);
    const total = costOf(drawing);
    return total === undefined ? undefined : { total, mostMissed, drawing };
  });
  return { best, tried, shares };
}

/** 100, less what the draws of `parts` save where all of them draw and nobody else does. */
const together =
  (...parts: number[]): Cost =>
  (drawing) =>
    drawing.length === parts.length && parts.every((own) => drawing.includes(own)) ? 50 : 100 + drawing.length;

test('of six every choice is tried, each once, and the best one is proven', () => {
  const { best, tried } = chosenOf(6, together(1, 3, 4));
  expect(best).toEqual({ total: 50, mostMissed: 0, drawing: [1, 3, 4] });
  expect([tried.length, new Set(tried).size]).toEqual([2 ** 6, 2 ** 6]);
});

test('what any of the choices may miss is missed, below the best of all', () => {
  expect(chosenOf(2, together(0), { mostMissed: 7 }).best.mostMissed).toBe(7);
  // All draw: 102, and might cost 49 less, which is 3 more than the best is known to cost.
  const unsure = chooseDrawing(offersOf(2), new Work(1_000), (own) =>
    own.length === 2 ? { total: 102, mostMissed: 55 } : { total: 50 + own.length, mostMissed: 1 },
  );
  expect(unsure).toEqual({ total: 50, mostMissed: 3 });
});

test('of choices that cost the same the first one stays: without any that draw', () => {
  expect(chosenOf(3, () => 100).best.drawing).toEqual([]);
});

test('a choice that is not permitted is no choice, and is not asked for again', () => {
  const { best, tried } = chosenOf(3, (drawing) => (drawing.length === 1 ? 90 - drawing[0]! : undefined));
  expect(best.drawing).toEqual([2]);
  expect(tried.length).toBe(2 ** 3);
  expect(() => chosenOf(2, () => undefined)).toThrow('to take nothing is permitted');
});

test('of seven to twelve one or two change at a time, as long as that saves', () => {
  const nearer = (drawing: readonly number[]): number =>
    100 - drawing.filter((own) => own % 2 === 0).length + drawing.filter((own) => own % 2 === 1).length;
  const { best, tried } = chosenOf(9, nearer);
  expect(best).toEqual({ total: 95, mostMissed: Number.POSITIVE_INFINITY, drawing: [0, 2, 4, 6, 8] });
  expect(new Set(tried).size).toBe(tried.length);
  expect(tried.length).toBeLessThan(2 ** 9);
  // Two that save only together are found, and one that is to leave as another joins.
  expect(chosenOf(12, together(2, 9)).best.drawing).toEqual([2, 9]);
  expect(chosenOf(7, (drawing) => 100 - (drawing.length === 1 ? drawing[0]! : 0)).best.drawing).toEqual([6]);
});

test('of thirteen one changes at a time', () => {
  expect(chosenOf(13, together(2, 9)).best.drawing).toEqual([]);
  expect(chosenOf(13, (drawing) => 100 - drawing.length).best.drawing.length).toBe(13);
  const { tried } = chosenOf(13, together(5));
  // Without any, with all, six alone, of which the last saves, and each other one beside it.
  expect(tried.length).toBe(2 + 6 + 12);
});

test('without steps nothing else is tried', () => {
  const work = new Work(100);
  const { best, tried } = chosenOf(5, (drawing) => 100 - drawing.length, { work, steps: 100 });
  expect([best.drawing, tried]).toEqual([[], ['']]);
  expect(best.mostMissed).toBe(Number.POSITIVE_INFINITY);
});

test('each choice has its part of the steps', () => {
  // A quarter without any, a third of the rest with all of them, and of six in the end as much for each that is left.
  expect(chosenOf(6, () => 100, { work: new Work(1_200), steps: 0 }).shares.slice(0, 2)).toEqual([300, 400]);
  const { shares } = chosenOf(4, () => 100, { work: new Work(1_400), steps: 10 });
  expect(shares.length).toBe(16);
  expect(shares[2]).toBeCloseTo((1_400 - 2 * 10) / 14);
  expect(shares[3]).toBeCloseTo((1_400 - 3 * 10) / 13);
  const { shares: many } = chosenOf(13, () => 100, { work: new Work(1_300) });
  expect(many.slice(2, 4)).toEqual([1_300 / 13, 1_300 / 12]);
});
