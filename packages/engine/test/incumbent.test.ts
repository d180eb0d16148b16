/** What the judge rejects stands without the benefits that get nothing of a sum of money, and counts as rejected: what takes its place may save less. */
import { expect, test } from 'vitest';
import { Incumbent } from '../src/choose/incumbent.ts';
import type { Model } from '../src/choose/model.ts';
import type { Way } from '../src/choose/way.ts';
import type { LineTakes } from '../src/settle/split.ts';

const percent = { benefit: { priority: 0, ordinal: 0 }, uses: [] };
const takes = (rest: object | undefined) => ({ taken: [], bought: [], rest }) as unknown as LineTakes;
const way = (effect: number): Way =>
  ({
    ...{ counts: [], takes: takes(effect > 0 ? percent : undefined), saving: 0, uses: 0 },
    cut: effect > 0 ? [{ offer: percent, sums: [0], effect, worth: 1, mayBeNothing: false }] : [],
  }) as unknown as Way;

/** Two lines on which a percentage draws 100 of one sum, and a judge who permits it as long as there is something of the sum. */
function incumbentOf(sum: number): Incumbent {
  const worse = { ...way(0), saving: -1 };
  const places = [1, 0].map((index) => ({ line: { index }, roles: [], ways: () => [way(100), way(0), worse] }));
  const model = { places, couplings: { capacities: [sum], sums: [0] } } as unknown as Pick<
    Model,
    'places' | 'couplings'
  >;
  const worthOfTakes = (own: readonly LineTakes[]): number | undefined => {
    const count = own.filter(({ rest }) => rest).length;
    return (count - 1) * 100 < sum ? Math.min(sum, count * 100) : undefined;
  };
  const input = { takes: [takes(undefined), takes(undefined)], worthOfTakes };
  return new Incumbent(model, input as unknown as ConstructorParameters<typeof Incumbent>[1]);
}

test('a line that gets nothing of a sum does without', () => {
  const best = incumbentOf(100);
  expect(best.consider([way(100), way(100)])).toBe(true);
  expect([best.value, best.rejected]).toEqual([100, 1]);
  // The walk goes by other lines first than the basket: there the last line is the one that does without.
  expect(best.takes.map(({ rest }) => rest !== undefined)).toEqual([true, false]);
});

test('what is permitted stands as it is, also where a sum pays a part of it', () => {
  const best = incumbentOf(150);
  expect(best.consider([way(100), way(100)])).toBe(true);
  expect([best.value, best.rejected]).toEqual([150, 0]);
  expect(best.consider([way(100), way(0)])).toBe(false);
});
