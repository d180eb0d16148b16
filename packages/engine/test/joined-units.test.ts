/** A line and its modifiers as one line of the search, worked out by hand (packages/engine/README.md, Units with modifiers). */

import type { BasketLine } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import { kindOf } from '../src/benefits/register.ts';
import { inCurrency } from '../src/compile/amounts.ts';
import type { BuyGetRule, LineRule } from '../src/compile/rule.ts';
import type { BenefitDefinition } from '../src/definition.ts';
import { type ExistingLineDiscounts, type LineFacts, readLines } from '../src/lines/lines.ts';
import {
  countsOfUnit,
  effectOn,
  effectsOnUnit,
  givenEffect,
  joinUnits,
  netSavingOf,
} from '../src/offers/modified-line.ts';
import { allocated, line, staff } from './support/choices.ts';

type More = Partial<BasketLine>;

/** Two burgers of 10.00 with four slices of 1.00 and three sauces of 0.50, of which one is left over. */
function join(
  policy: ExistingLineDiscounts = 'replace_if_larger',
  burger: More = {},
  cheese: More = {},
  sauce: More = {},
) {
  const lines = [
    line('burger', 2, burger.unitPrice ?? 1_000, burger),
    line('cheese', cheese.quantity ?? 4, 100, { parentLineId: 'burger', ...cheese }),
    line('sauce', 3, 50, { parentLineId: 'burger', ...sauce }),
  ];
  const modified = { families: [{ head: 0, modifiers: [1, 2] }], isAttached: [false, true, true] };
  return joinUnits(readLines(lines, policy, undefined), modified, policy);
}

function ruleOf<Rule = LineRule>(more: object): Rule {
  const definition = { benefitId: 'b', ...more } as BenefitDefinition;
  return kindOf(definition).compile(inCurrency(definition, undefined) as never) as Rule;
}

const tenth = ruleOf({ kind: 'line_percent', percent: 10 });
const amount = (each: number) => ruleOf({ kind: 'line_amount', amount: each, per: 'unit' });
const half = ruleOf<BuyGetRule>({ kind: 'buy_x_get_y', buy: { quantity: 1 }, get: { quantity: 1, percent: 50 } });

describe('a line joined with its modifiers', () => {
  it('costs what a unit costs with what goes along, and all that is there', () => {
    const [joined, cheese, sauce] = join('stack', staff(30), staff(8), allocated(5, 6));
    expect(joined).toMatchObject({
      ...{ units: 2, unitPrice: 1_250, original: 2_550, room: 2_501, incoming: 2_501, isSplittable: false },
      ...{
        existing: 0,
        allocations: [],
        allocated: 0,
        isOpen: true,
        isOpenToLineBenefits: true,
        isOpenToPercentages: true,
      },
    });
    expect(joined!.unit!.lines.map((own) => [own.line.index, own.perUnit])).toEqual([
      [0, 1],
      [1, 2],
      [2, 1],
    ]);
    const gone = {
      units: 0,
      unitPrice: 0,
      original: 0,
      existing: 0,
      allocations: [],
      allocated: 0,
      room: 0,
      incoming: 0,
    };
    const closed = { isOpen: false, isOpenToLineBenefits: false, isSplittable: false };
    expect([cheese, sauce]).toMatchObject([
      { ...gone, ...closed },
      { ...gone, ...closed },
    ]);
  });

  it('is as it was where nothing is joined', () => {
    const lines = readLines([line('a', 1, 100)], 'keep', undefined);
    expect(joinUnits(lines, undefined, 'keep')).toBe(lines);
  });

  const free = { unitPrice: 0 };
  const noDiscount = { noDiscount: true };
  const noPercentage = { noPercentageDiscount: true };
  it.each<[string, ExistingLineDiscounts, [More?, More?, More?], [boolean, boolean, boolean]]>([
    ['as a line is', 'keep', [], [true, true, true]],
    ['where only a modifier costs something', 'keep', [free, {}, noDiscount], [true, true, true]],
    ['not where that one may not be discounted', 'keep', [free, noDiscount, noDiscount], [false, false, false]],
    ['not where no whole one goes with each unit', 'keep', [free, { quantity: 1 }, noDiscount], [false, false, false]],
    ['not where the head may not be discounted', 'keep', [noDiscount], [false, false, false]],
    ['to no line benefit where the head keeps a discount', 'keep', [staff(1)], [true, false, true]],
    ['to line benefits where a modifier keeps one', 'keep', [{}, staff(1)], [true, true, true]],
    ['to none where all that cost something keep theirs', 'keep', [free, staff(1), staff(1)], [true, false, false]],
    ['to line benefits that replace a discount', 'replace_if_larger', [staff(1)], [true, true, true]],
    ['to no percentage where the head is not', 'stack', [noPercentage], [true, true, false]],
    [
      'to no percentage where only a modifier without any costs something',
      'stack',
      [free, noPercentage, noDiscount],
      [true, true, false],
    ],
    ['to percentages of the head', 'stack', [{}, noPercentage, noPercentage], [true, true, true]],
  ])('is open %s', (_case, policy, lines, open) => {
    const [joined] = join(policy, ...lines);
    expect([joined!.isOpen, joined!.isOpenToLineBenefits, joined!.isOpenToPercentages]).toEqual(open);
    expect(joined!.unit!.replaces).toBe(policy === 'replace_if_larger');
  });
});

describe('what a benefit takes off a unit', () => {
  const effects = (rule: LineRule | BuyGetRule, joined: readonly LineFacts[], isPercentage = true) =>
    [1, 2].map((units) => effectsOnUnit(rule, isPercentage, joined[0]!, units));

  it('comes off each of its lines, and off what is left over where it takes all', () => {
    expect(effects(tenth, join())).toEqual([
      [100, 20, 5],
      [200, 40, 15],
    ]);
    expect(effects(half, join())).toEqual([
      [500, 100, 25],
      [1_000, 200, 50],
    ]);
    const [joined] = join();
    expect([1, 2].map((units) => countsOfUnit(tenth, joined!, units))).toEqual([
      [1, 2, 1],
      [2, 4, 3],
    ]);
    expect([1, 2].map((units) => countsOfUnit(half, joined!, units))).toEqual([
      [1, 2, 1],
      [2, 4, 2],
    ]);
  });

  it('is nothing on a line that may not be discounted, or of which none goes along', () => {
    expect(effects(tenth, join('stack', {}, { noDiscount: true }, { noPercentageDiscount: true }))[0]).toEqual([
      100, 0, 0,
    ]);
    expect(
      effects(amount(1_300), join('stack', {}, { noDiscount: true }, { noPercentageDiscount: true }), false)[0],
    ).toEqual([1_000, 0, 50]);
    expect(effects(half, join('stack', {}, { quantity: 1 }))[1]).toEqual([1_000, 0, 50]);
  });

  it('comes off the head first where it is an amount for each unit', () => {
    expect(effects(amount(300), join(), false)).toEqual([
      [300, 0, 0],
      [600, 0, 0],
    ]);
    expect(effects(amount(1_100), join(), false)).toEqual([
      [1_000, 100, 0],
      [2_000, 200, 0],
    ]);
    expect(effects(amount(1_100), join('stack', allocated(1_300)), false)[0]).toEqual([700, 200, 50]);
    expect(effects(tenth, join('stack', allocated(1_950)))[0]).toEqual([50, 20, 5]);
  });

  it('is nothing on a line where the staff gave as much, if it would replace that', () => {
    const lines = [staff(99), staff(20), staff(6)] as const;
    expect(effects(tenth, join('replace_if_larger', ...lines))[0]).toEqual([100, 0, 0]);
    expect(effects(tenth, join('stack', ...lines))[0]).toEqual([95, 19, 5]);
  });

  it('saves that, less what it replaces', () => {
    const lines = [staff(99), staff(20), staff(1)] as const;
    const savings = (policy: ExistingLineDiscounts) => effectOn(tenth, true, join(policy, ...lines)[0]!, 1);
    expect(savings('replace_if_larger')).toBe(5);
    expect(savings('stack')).toBe(119);
    const [plain] = readLines([line('a', 2, 1_000, staff(99))], 'replace_if_larger', undefined);
    expect(effectOn(tenth, true, plain!, 2)).toBe(200);
  });
});

describe('a unit that a set gives', () => {
  it('saves its part of every line that a percentage may touch, before what the staff gave', () => {
    const lines = [staff(40), { ...staff(10), noPercentageDiscount: true }, staff(6)] as const;
    expect(givenEffect(half, join('replace_if_larger', ...lines)[0]!)).toEqual({ effect: 525, existing: 46 });
    const [plain] = readLines([line('a', 2, 1_000, staff(99))], 'replace_if_larger', undefined);
    expect(givenEffect(half, plain!)).toEqual({ effect: 500, existing: 99 });
  });

  it('is ranked by that, less the share of each that it replaces', () => {
    const lines = [staff(40), { ...staff(10), noPercentageDiscount: true }, staff(90)] as const;
    // The sauces save nothing: 25 each, of which the staff gave 45.
    expect(netSavingOf(join('replace_if_larger', ...lines)[0]!, half)).toBe(480);
    expect(netSavingOf(join('stack', ...lines)[0]!, half)).toBe(500);
    expect(netSavingOf(join('stack', allocated(1_500))[0]!, half)).toBe(250 + 100 + 25);
  });
});
