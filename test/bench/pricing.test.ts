import { findBasketRequestFault } from '@loyalty/contract/basket/basket-request';
import { findAnswerMismatch, findRequestFaults } from '@loyalty/contract/basket/identities';
import { describe, expect, it } from 'vitest';
import { type Cell, countMatching, prepareCell, priceCell } from '../../bench/pricing/cell.ts';
import { type GrowthCell, judgeGrowth } from '../../bench/pricing/growth.ts';
import { measureInTurns, ratios, WARM_UP_ROUNDS } from '../../bench/pricing/measure.ts';
import { createEntries, PROGRAMMES } from '../../bench/pricing/programmes.ts';
import { prepareRule, priceRule } from '../../bench/pricing/rule-costs.ts';
import { RULE_CASES, type Surroundings } from '../../bench/pricing/rules.ts';

/** What the pricing benchmarks say on every machine: results and counts. No time is looked at. */

describe('the rules of the pricing benchmark', () => {
  const totals = (surroundings: Surroundings): number[] =>
    prepareRule(surroundings).map((prepared, turn, all) => {
      const decision = priceRule(all, turn);
      return decision.status === 'applied' ? decision.totals.total : prepared.basket.totals.total;
    });

  it.each(RULE_CASES)('have an effect: $rule', ({ rule, without, with: own }) => {
    const shown = (surroundings: Surroundings) =>
      prepareRule(surroundings).map((_, turn, all) => JSON.stringify(priceRule(all, turn)));
    const isChanged = JSON.stringify(shown(own)) !== JSON.stringify(shown(without));
    expect(isChanged).toBe(rule !== 'net minimum, met');
  });

  it('has a net minimum that no basket meets with all its benefits, and some reach without one', () => {
    const near = RULE_CASES.find(({ rule }) => rule === 'net minimum, near')!;
    const [own, plain] = [totals(near.with), totals({ benefits: [] })];
    expect(own.every((total, at) => total <= plain[at]!)).toBe(true);
    expect(own.some((total, at) => total < plain[at]!)).toBe(true);
  });
});

describe('the baskets and programmes of the pricing benchmark', () => {
  const small = PROGRAMMES.map((programme): Cell => ({ programme, lines: 5, benefits: 5 }));
  const usual: Cell[] = [
    { programme: 'percent by group', lines: 20, benefits: 100 },
    { programme: 'everything, line kinds', lines: 200, benefits: 500 },
  ];

  it.each([...small, ...usual])('are priced right: $programme, $lines lines, $benefits benefits', (cell) => {
    const prepared = prepareCell(cell);
    for (const [at, basket] of prepared.baskets.entries()) {
      expect(findBasketRequestFault(basket) ?? findRequestFaults(basket).mismatch).toBeUndefined();
      const decision = priceCell(prepared, at);
      if (decision.status === 'unchanged') continue;
      const { status, lines, orderDiscounts, totals } = decision;
      const answer = { calculationId: basket.calculationId, status, lines, orderDiscounts, totals };
      expect(findAnswerMismatch(basket, answer)).toBeUndefined();
    }
  });

  it('count what matches without the engine', () => {
    const [basket] = prepareCell({ programme: 'percent by group', lines: 20, benefits: 1 }).baskets;
    if (!basket) throw new Error('A cell has baskets.');
    const groups = new Set(basket.lines.map(({ productGroupId }) => productGroupId));
    expect(countMatching(createEntries('percent by group', 60), basket)).toBe(groups.size);
    expect(countMatching(createEntries('everything, mixed', 100), basket)).toBe(100);
    const mixed = createEntries('mixed by group', 500);
    expect(mixed.filter(({ isOpen }) => isOpen).length).toBeGreaterThan(200);
    expect(new Set(mixed.map(({ definition }) => definition.kind)).size).toBe(8);
  });

  it('begin with the same benefits, however many there are', () => {
    for (const programme of PROGRAMMES) {
      expect(createEntries(programme, 100).slice(0, 20)).toEqual(createEntries(programme, 20));
    }
  });
});

describe('the verdict on growth', () => {
  const grow = (costOf: (work: number) => number): GrowthCell[] =>
    [5, 10, 20].map((lines) => {
      const work = lines * 4;
      return { programme: 'percent by group', lines, benefits: 20, work, costs: [costOf(work)] };
    });

  it('tells linear from quadratic cost', () => {
    expect(judgeGrowth(grow((work) => 3 * work)).exponent).toBeCloseTo(1);
    expect(judgeGrowth(grow((work) => 3 * work)).worstStep?.factor).toBeCloseTo(1);
    expect(judgeGrowth(grow((work) => work * work)).exponent).toBeCloseTo(2);
    expect(judgeGrowth(grow((work) => work * work)).worstStep?.factor).toBeCloseTo(2);
  });

  it('counts what was not finished', () => {
    const [first, ...rest] = grow((work) => work);
    expect(judgeGrowth([{ ...first!, costs: undefined }, ...rest]).unfinished).toBe(1);
  });
});

it('measures everybody equally often', async () => {
  const counts = { a: 0, b: 0 };
  const contenders = (['a', 'b'] as const).map((name) => ({ name, run: () => ++counts[name] }));
  const turns = { rounds: 2, turnsPerRound: 3, cpuMs: 0, batch: 4 };
  const figures = await measureInTurns(contenders, turns);
  const runs = (turns.rounds + WARM_UP_ROUNDS) * turns.turnsPerRound * turns.batch;
  expect(counts).toEqual({ a: runs, b: runs });
  expect([...figures.values()].map(({ length }) => length)).toEqual([2, 2]);
  expect(ratios([6, 8], [2, 4])).toEqual([3, 2]);
});
