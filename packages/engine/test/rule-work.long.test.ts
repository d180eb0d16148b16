/**
 * Programmes of 500 benefits that say little else than one rule, on 200 lines. The search for the dearest basket meets such
 * programmes seldom, and each was once much more work than its steps said.
 */
import { expect, it } from 'vitest';
import type { ProgrammeDefinition } from '../src/definition.ts';
import { limitedUses } from '../src/offers/limits.ts';
import { type BasketToPrice, priceBasket } from '../src/price.ts';
import { DEFAULT_MAXIMUM_STEPS } from '../src/work.ts';
import { createBasket } from './drawn/baskets.ts';
import { checkAnswer } from './drawn/input.ts';
import { looksOf } from './support/looks.ts';
import { buildMember, buildVenue } from './support/programme.ts';

/** 500 benefits on 200 lines are 100,000 pairs, each looked at a few times; of groups they are chosen from again and again. */
const MOST_LOOKS = 6_000_000;
/** Beside what may be left out: reading, matching, settling and rendering. */
const MOST_STEPS = 2 * DEFAULT_MAXIMUM_STEPS;
const LINES = 200;

function many(count: number, benefit: (n: number) => object): object[] {
  return Array.from({ length: count }, (_, n) => ({ benefitId: `b-${n}`, ...benefit(n) }));
}

/** A fifth of the lines, each time others. */
function some(n: number) {
  return { appliesTo: { productGroupIds: Array.from({ length: 12 }, (_, at) => `group-${(n * 7 + at * 5) % 60}`) } };
}

const percents = (n: number) => ({ kind: 'line_percent', percent: 1 + (n % 50) });

function kindOf(n: number): object {
  const kinds = [
    percents(n),
    { kind: 'order_percent', percent: 1 + (n % 20) },
    { kind: 'order_amount', amount: 100 + n },
    { kind: 'line_amount', amount: 10 + n, per: 'unit' },
    { kind: 'unit_price', unitPrice: 900 - n },
  ];
  return kinds[n % kinds.length]!;
}

const SHAPES: Record<
  string,
  {
    readonly benefits: object[];
    readonly more?: Partial<ProgrammeDefinition>;
    /** With so many units of each line, or fewer, nothing may apply. */
    readonly inVainUpTo?: number;
    /** So many lines stand below every other one. */
    readonly modifiers?: number;
  }
> = {
  'units per basket': { benefits: many(500, (n) => ({ ...percents(n), maximumUnits: 2 })) },
  'units per basket of some lines': {
    benefits: many(500, (n) => ({
      kind: 'line_amount',
      amount: 10 + n,
      per: 'unit',
      maximumUnits: 1 + (n % 5),
      ...some(n),
    })),
  },
  'limits of one basket beside groups': {
    benefits: many(500, (n) => {
      if (n % 25 > 0) return { ...percents(n), limit: { quantity: 3, period: 'basket', counts: 'items' }, ...some(n) };
      const units = { quantity: 2, ...some(n) };
      return { kind: 'buy_x_get_y', buy: units, get: units, maximumUnits: 4 };
    }),
  },
  'amounts for every part of the spend': {
    benefits: many(500, (n) => ({ kind: 'order_amount', amount: 1 + n, perSpend: 1_000 + n, ...some(n) })),
  },
  'amounts for every part of the spend, each alone': {
    benefits: many(500, (n) => ({
      kind: 'order_amount',
      amount: 1 + n,
      perSpend: 1_000 + n,
      exclusive: true,
      ...some(n),
    })),
  },
  'bundles at a percentage or an amount off': {
    benefits: many(500, (n) => ({
      ...{
        kind: 'bundle_price',
        items: [
          { quantity: 2, ...some(n) },
          { quantity: 1, ...some(n + 1) },
        ],
      },
      ...(n % 2 === 0 ? { percent: 1 + (n % 50) } : { amount: 100 + n }),
    })),
  },
  'a hundred groups of one': {
    benefits: many(500, (n) => ({ ...kindOf(n), group: `g${n % 100}`, ...some(n) })),
    more: { groups: Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`g${n}`, { atMost: 1 }])) },
  },
  'forty of a group of order percentages': {
    benefits: many(500, (n) => ({ kind: 'order_percent', percent: 1 + (n % 20) / 10, group: 'g', ...some(n) })),
    more: { groups: { g: { atMost: 40 } } },
  },
  'forty of a group of order percentages on all lines': {
    benefits: many(500, (n) => ({ kind: 'order_percent', percent: 1 + (n % 20) / 10, group: 'g' })),
    more: { groups: { g: { atMost: 40 } } },
  },
  'three of a group of line percentages': {
    benefits: many(500, (n) => ({ ...percents(n), group: 'g', ...some(n) })),
    more: { groups: { g: { atMost: 3 } } },
  },
  'two of a group of bundles': {
    benefits: many(500, (n) => ({
      kind: 'bundle_price',
      items: [{ quantity: 2, ...some(n) }],
      percent: 10,
      group: 'g',
    })),
    more: { groups: { g: { atMost: 2 } } },
  },
  'minimum savings that nothing reaches': {
    benefits: many(500, (n) => ({ ...percents(n), minimumSaving: 100_000_000, ...some(n) })),
    inVainUpTo: Number.POSITIVE_INFINITY,
  },
  'minimum savings that competitors prevent': {
    benefits: many(500, (n) => ({ ...percents(n), minimumSaving: 30_000, ...some(n) })),
    inVainUpTo: 1,
  },
  'minimum savings of orders': {
    benefits: many(500, (n) => ({ kind: 'order_amount', amount: 5_000 + n, minimumSaving: 5_000, ...some(n) })),
  },
  'minimum savings in a group': {
    benefits: many(500, (n) => ({ ...kindOf(n), minimumSaving: 20_000, group: 'g', ...some(n) })),
    more: { groups: { g: { atMost: 5 } } },
  },
  'sets of all sizes, with limits': {
    benefits: many(500, (n) => ({
      ...{
        kind: 'buy_x_get_y',
        buy: { quantity: 1 + (n % 5) },
        get: { quantity: 1 + (n % 4), percent: 20 + (n % 80) },
      },
      limit: { quantity: 1 + (n % 9), period: 'day', counts: 'items' },
    })),
  },
  'sets of all sizes': {
    benefits: many(500, (n) => ({
      kind: 'buy_x_get_y',
      buy: { quantity: 1 + (n % 5), combinable: n % 2 === 0 },
      get: { quantity: 1 + (n % 4), percent: 20 + (n % 80) },
    })),
  },
  'sets of units with modifiers, beside lines by themselves': {
    modifiers: 1,
    more: { modifiers: 'together' },
    benefits: many(500, (n) => {
      if (n % 5 > 0) return { ...percents(n), maximumUnits: 3, ...some(n) };
      const units = { quantity: 1, ...some(n) };
      return { kind: 'buy_x_get_y', buy: units, get: units };
    }),
  },
  'percentages of units with modifiers, each other ones': {
    modifiers: 4,
    more: { modifiers: 'together' },
    benefits: many(500, (n) => {
      const { appliesTo } = some(n);
      return { ...percents(n), appliesTo: { ...appliesTo, excludeProductGroupIds: [`group-${n % 60}`] } };
    }),
  },
  'exclusive offers of units with modifiers': {
    modifiers: 1,
    more: { modifiers: 'together' },
    benefits: many(500, (n) => {
      const units = { quantity: 1, ...some(n) };
      if (n % 2 > 0) return { kind: 'buy_x_get_y', buy: units, get: units, exclusive: true };
      return { ...percents(n), ...some(n), exclusive: true };
    }),
  },
  'minimums on the whole basket': {
    benefits: many(500, (n) => ({ ...percents(n), minimumSpend: 10, minimumSpendOn: 'basket', ...some(n) })),
  },
};

function inputOf({ benefits, more, modifiers = 0 }: (typeof SHAPES)[string], units: number): BasketToPrice {
  const basket = createBasket(
    Array.from({ length: LINES }, (_, n) => ({
      product: n,
      quantity: units,
      unitPrice: 1_000 + ((n * 37) % 900),
      existing: 0,
      allocations: 0,
      parent: n % (1 + modifiers),
      noDiscount: false,
      noPercentageDiscount: false,
    })),
  )!;
  const venue = buildVenue(benefits as never, more);
  const available = new Map(limitedUses(venue, basket.requestedAt).map(({ usageKey, limit }) => [usageKey, limit]));
  return { basket, venue, member: buildMember(), available };
}

it.each(Object.entries(SHAPES))('500 times: %s', (_, shape) => {
  for (const units of [1, 3, 100]) {
    const input = inputOf(shape, units);
    const decision = checkAnswer(input);
    const { trace, ...traced } = priceBasket({ ...input, trace: true });
    expect(JSON.stringify(traced)).toBe(JSON.stringify(decision));
    // However hard the choice is, a guest who may have something gets something.
    if (units > (shape.inVainUpTo ?? 0)) expect(decision.status, `${units} units`).toBe('applied');
    expect(trace!.steps).toBeLessThan(MOST_STEPS);
    expect(looksOf(input)).toBeLessThan(MOST_LOOKS);
  }
});
