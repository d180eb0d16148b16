/** Programmes of which the answers may often miss a cheaper choice, found by pricing made-up baskets. */
import { readFileSync } from 'node:fs';
import { readBasketRequest } from '@loyalty/contract/basket/basket-request';
import type { Venue } from '@loyalty/engine/types';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readExamples } from '../../packages/engine/test/support/examples.ts';
import { MADE_UP_ID, makeBasket } from '../../src/programme/made-up-basket.ts';
import type { EnvironmentFile } from '../../src/programme/schema.ts';
import { programmesOf } from '../../src/programme/warnings/advice.ts';
import { judgeByBaskets } from '../../src/programme/warnings/large-gaps.ts';
import { oslo } from './case-file.ts';

const { products: _, ...unlisted } = oslo;

/** A programme with these benefits, at a venue without a list of products. */
function around(benefits: readonly object[], more: object = {}, venues: readonly object[] = [unlisted]) {
  const named = benefits.map((benefit, at) => ({ benefitId: `b${at}`, ...benefit }));
  const programme = { programmeId: 'club', ...more, benefits: named };
  const file = { environment: 'staging', venues, programmes: [programme] } as unknown as EnvironmentFile;
  return programmesOf(file, [], '2026-11-21')[0]!;
}
const told = (...programme: Parameters<typeof around>) => [...judgeByBaskets()(around(...programme))];

const coupon = { kind: 'line_percent', percent: 20, maximumUnits: 5, maximumDiscount: 3000 };
const set = (buy: number, get: number, percent: number) => {
  return { kind: 'buy_x_get_y', buy: { quantity: buy }, get: { quantity: get, percent } };
};
/** Of 10 to 20 units neither is full without leaving some over. */
const bundle = (quantity: number, percent: number) => ({ kind: 'bundle_price', items: [{ quantity }], percent });
const crowd: readonly object[] = [bundle(9, 40), { ...bundle(13, 50), audience: 'granted' }];
const crowdOf = (...when: readonly object[]) => crowd.map((benefit, at) => ({ ...benefit, when: when[at] ?? when[0] }));
const of = (member: string) => [
  'benefits',
  `answers may often miss a cheaper choice: for ${member} with every grant, 4 of 6 generated baskets of 10 lines have a gap above 1 %`,
];

describe('programmes whose made-up baskets often have a large gap', () => {
  it('are told, with the tier that can have them all', () => {
    expect(told(crowd)).toEqual([of('a member')]);
    expect(told(crowdOf({ tiers: ['gold'] }))).toEqual([of('a member of the tier gold')]);
  });

  it('are none of benefits that nobody can have at once, or any longer, or where no venue runs the programme', () => {
    expect(told(crowdOf({ tiers: ['a'] }, { tiers: ['b'] }))).toEqual([]);
    expect(told(crowdOf({ to: '2026-11-20' }))).toEqual([]);
    expect(told(crowd, {}, [])).toEqual([]);
  });

  it('are not looked for where the programme asks for many steps, or others took those of the environment', () => {
    const isTold = (maximumSteps: number, steps: number, before: readonly object[] = []) => {
      const judge = judgeByBaskets(300, steps);
      for (const _ of judge(around(before)));
      return [...judge(around(crowd, { maximumSteps }))].length > 0;
    };
    const few = [set(2, 1, 100), set(3, 1, 100)];
    expect([isTold(12_000, 1, few.slice(1)), isTold(12_000, 1, few), isTold(24_001, 1)]).toEqual([true, false, false]);
  });

  it('are none of the ordinary ones: a coupon beside a set, one benefit of a sort, and all recipes', () => {
    expect(told([set(2, 1, 100), coupon])).toEqual([]);
    expect(told([set(2, 1, 100), { ...coupon, maximumUnits: 2 }, { kind: 'order_percent', percent: 5 }])).toEqual([]);
    const staging = parse(readFileSync('config/staging.yaml', 'utf8')) as { venues: { products: object[] }[] };
    const venue = { ...oslo, products: staging.venues[0]!.products };
    for (const { benefits, programme } of readExamples('config/recipes.md'))
      expect(told(benefits, programme, [venue])).toEqual([]);
  });
});

it('made-up baskets are calls that any service reads', () => {
  const venue = { venueId: 'oslo', terminalSetups: ['11'], currencies: ['NOK'] } as unknown as Venue;
  const cake = { productId: 'cake', productMasterId: 'cakes', productGroupId: 'sweets', ean: '7038010000017' };
  const products = [{ ...cake, unitPrice: 5_000, noPercentageDiscount: true }, { unitPrice: 300 }];
  for (const [number, lines] of [
    [0, 1],
    [1, 20],
    [5, 150],
  ] as const) {
    const basket = makeBasket(number, lines, products, venue, '2026-11-21T12:00:00Z');
    expect(readBasketRequest(Buffer.from(JSON.stringify(basket)), MADE_UP_ID)).toMatchObject({ ok: true });
    expect(basket.lines).toHaveLength(lines);
  }
});
