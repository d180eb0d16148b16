/** What an open benefit may take of a basket, before the choice. */

import type { BasketLine } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import { localTime } from '../src/compile/calendar.ts';
import type { BenefitDefinition, ProgrammeDefinition } from '../src/definition.ts';
import { readLines } from '../src/lines/lines.ts';
import {
  eligibleLines,
  findOffers,
  isLimited,
  lineListKey,
  mostOfOffer,
  type Offer,
  spendsItems,
  takesPercentage,
} from '../src/offers/offers.ts';
import { PoolSpending } from '../src/offers/pools.ts';
import { limitedUses } from '../src/price.ts';
import { Work } from '../src/work.ts';
import { buildBasket } from './support/basket.ts';
import { allocated, line, staff } from './support/choices.ts';
import { buildMember, buildVenue } from './support/programme.ts';

const of = (...productIds: string[]) => ({ appliesTo: { productIds } });
const day = { period: 'day', quantity: 5 } as const;

function offersOf(
  benefits: BenefitDefinition[],
  {
    lines = [line('a', 1, 1_000), line('b', 2, 300)],
    left = {} as Record<string, number>,
    ...more
  }: {
    lines?: BasketLine[];
    left?: Record<string, number>;
    policies?: Partial<ProgrammeDefinition>;
  } = {},
) {
  const venue = buildVenue(benefits, more.policies);
  const basket = buildBasket(lines);
  const member = buildMember();
  const uses = limitedUses(venue, basket.requestedAt, member);
  const available = new Map(uses.map(({ usageKey, limit }) => [usageKey, left[usageKey] ?? limit]));
  const time = localTime(basket.requestedAt, venue.timeZone);
  const offers = findOffers({ basket, member, venue, time, isClockOff: false }, available, new Work(1_000_000));
  return { offers, lines: readLines(lines, 'replace_if_larger', undefined) };
}

const ten = (more: object = {}) =>
  ({ benefitId: 'ten', kind: 'line_percent', percent: 10, ...more }) as BenefitDefinition;
const only = (benefit: BenefitDefinition, more: Parameters<typeof offersOf>[1] = {}): Offer =>
  offersOf([benefit], more).offers[0]!;

describe('a benefit is offered', () => {
  const idsOf = (benefits: BenefitDefinition[], more?: Parameters<typeof offersOf>[1]) =>
    offersOf(benefits, more).offers.map(({ benefit }) => benefit.benefitId);

  it('where it names a line, in the order of its benefitId, in a programme of a hundred', () => {
    const benefits = Array.from({ length: 100 }, (_, at) =>
      ten({ benefitId: `b${String(at).padStart(2, '0')}`, ...(at % 33 === 1 ? {} : of(at % 31 === 0 ? 'a' : 'c')) }),
    );
    expect(idsOf(benefits)).toEqual(['b00', 'b01', 'b31', 'b34', 'b62', 'b67', 'b93']);
  });

  it('in a large programme of which only the last benefits name a line', () => {
    const benefits = Array.from({ length: 70 }, (_, at) =>
      ten({ benefitId: `b${String(at).padStart(2, '0')}`, ...of(at < 68 ? 'c' : 'a') }),
    );
    expect(idsOf(benefits)).toEqual(['b68', 'b69']);
  });

  it('where it names a line for one item of a menu, also beside lines that are left out', () => {
    const items = ['a', 'c'].map((product) => ({ quantity: 1, ...of(product) }));
    const menu = { benefitId: 'menu', kind: 'bundle_price', bundlePrice: 100, items } as BenefitDefinition;
    expect(idsOf([menu], { policies: { exclude: { productIds: ['b'] } } })).toEqual(['menu']);
  });

  it('not where an exclusion leaves it without lines', () => {
    const but = (...excludeProductIds: string[]) => ten({ appliesTo: { excludeProductIds } });
    expect(idsOf([but('a')])).toEqual(['ten']);
    expect(idsOf([but('a', 'b')])).toEqual([]);
    expect(idsOf([ten(of('a'))], { policies: { exclude: { productIds: ['a'] } } })).toEqual([]);
  });

  it('as long as something is left of each limit', () => {
    const limited = ten({
      limit: [
        { ...day, counts: 'baskets' },
        { ...day, counts: 'items', period: 'week' },
      ],
    });
    expect(idsOf([limited], { left: { 'ten:2026-11-21': 1, 'ten#items:2026-W47': 1 } })).toEqual(['ten']);
    expect(idsOf([limited], { left: { 'ten:2026-11-21': 0 } })).toEqual([]);
    expect(idsOf([limited], { left: { 'ten#items:2026-W47': 0 } })).toEqual([]);
  });
});

describe('its limits', () => {
  it('leave it the least of them', () => {
    const limit = [
      { ...day, counts: 'items' },
      { ...day, counts: 'money', quantity: 700, period: 'week' },
      { ...day, counts: 'baskets' },
    ];
    const leftTo = (offer: Offer) => [offer.items, offer.mostDiscount];
    expect(leftTo(only(ten({ limit })))).toEqual([5, 700]);
    expect(leftTo(only(ten({ limit, maximumUnits: 4, maximumDiscount: 600 })))).toEqual([4, 600]);
    expect(leftTo(only(ten({ limit, maximumUnits: 6, maximumDiscount: 800 })))).toEqual([5, 700]);
    expect(leftTo(only(ten({ maximumUnits: 4 })))).toEqual([4, Number.POSITIVE_INFINITY]);
  });

  it('are spent by the unit only where one of them counts units', () => {
    const spends = (...counts: string[]) => {
      const offer = only(ten({ limit: counts.map((own) => ({ ...day, counts: own, limitId: own })) }));
      return [isLimited(offer), spendsItems(offer)];
    };
    expect([spends(), spends('baskets'), spends('baskets', 'items'), spends('money')]).toEqual([
      ...[
        [false, false],
        [true, false],
        [true, true],
        [true, false],
      ],
    ]);
  });

  it('are one pool for all that share one by its name', () => {
    const pot = { ...day, counts: 'items', limitId: 'pot' };
    const { offers } = offersOf(
      [
        ten({ limit: pot }),
        ten({ benefitId: 'twin', limit: pot }),
        ten({ benefitId: 'other', limit: { ...pot, limitId: 'o' } }),
      ],
      { left: { '@pot#items:2026-11-21': 3 } },
    );
    const [other, first, twin] = offers.map(({ pool }) => pool!).toSorted((a, b) => b.left - a.left);
    expect(first).toBe(twin);
    expect(other).not.toBe(first);
    expect(first).toEqual({ counts: 'items', left: 3, group: undefined });
  });

  it('by baskets make a group of those that share them; beside one that counts units, that is the pool', () => {
    const visits = { ...day, counts: 'baskets', limitId: 'visits', period: 'basket', quantity: 1 };
    const purse = { ...day, counts: 'money', limitId: 'purse', quantity: 900 };
    const policies = { groups: { lunch: { atMost: 2 } } };
    const shown = (limit: object[], group?: string) => {
      const { pool, groups } = only(ten({ limit, ...(group && { group }) }), { policies });
      return [pool?.counts, groups.map(({ name, atMost }) => `${name} ${atMost}`)];
    };
    expect(shown([])).toEqual([undefined, []]);
    expect(shown([], 'lunch')).toEqual([undefined, ['lunch 2']]);
    expect(shown([visits])).toEqual(['baskets', ['visits 1']]);
    expect(shown([visits, purse], 'lunch')).toEqual(['money', ['lunch 2', 'visits 1']]);
    expect(shown([purse])).toEqual(['money', []]);
    const daily = { ...visits, period: 'day' };
    expect(shown([daily, purse])).toEqual(['money', ['visits 1']]);
    expect(shown([purse, daily])).toEqual(['money', ['visits 1']]);
  });

  it('in money are cut to what others have not spent of them', () => {
    const purse = { counts: 'money', left: 900, group: undefined } as const;
    const items = { ...purse, counts: 'items' } as const;
    const spending = new PoolSpending();
    expect([undefined, items, purse].map((pool) => spending.cut(pool, 1_000))).toEqual([1_000, 1_000, 900]);
    for (const pool of [undefined, items, purse, purse]) spending.spend(pool, 300);
    expect([undefined, items, purse].map((pool) => spending.cut(pool, 1_000))).toEqual([1_000, 1_000, 300]);
    expect(spending.cut({ ...purse }, 1_000)).toBe(900);
  });
});

describe('what it names', () => {
  const protectedLine = line('b', 2, 300, { noPercentageDiscount: true });

  it('has the same key for the same lines, unless a percentage makes them fewer', () => {
    for (const length of [2, 40]) {
      const lines = Array.from({ length }, (_, at) =>
        line(`${at % 2 === 0 ? 'a' : 'b'}`, 1, 100 + at, { lineId: `${at}` }),
      );
      const amount = { kind: 'line_amount', amount: 5, per: 'unit', percent: undefined };
      const { offers } = offersOf(
        [
          ...[
            ten({ benefitId: 'b1', ...of('a') }),
            ten({ benefitId: 'b2', ...of('a', 'z') }),
            ten({ benefitId: 'b3' }),
          ],
          ...[ten({ benefitId: 'b4', ...amount, ...of('a') }), ten({ benefitId: 'b5', ...amount, ...of('a', 'z') })],
        ],
        { lines },
      );
      const keys = offers.map((offer) => lineListKey(offer, 0));
      expect(keys.map((key) => keys.indexOf(key))).toEqual([0, 0, 2, 3, 3]);
    }
  });

  it('counts where it may be discounted, by a percentage too if it takes one', () => {
    const lines = [line('a', 1, 1_000), protectedLine, line('c', 1, 500, { noDiscount: true }), line('d', 1, 0)];
    const eligible = (more: object) => {
      const priced = offersOf([ten(more)], { lines });
      return [takesPercentage(priced.offers[0]!), eligibleLines(priced.offers[0]!, 0, priced.lines)];
    };
    expect(eligible({})).toEqual([true, [0]]);
    expect(eligible({ kind: 'line_amount', amount: 5, per: 'unit' })).toEqual([false, [0, 1]]);
  });

  const [noDiscount, noPercentage] = [{ noDiscount: true }, { noPercentageDiscount: true }];
  it.each<[string, object[], boolean, boolean]>([
    ['the modifiers of a free burger', [{}], true, true],
    ['not those that may not be discounted', [noDiscount], false, false],
    ['those that may have an amount off, but no percentage', [noPercentage], true, false],
    ['not those of which none goes with each burger', [{ quantity: 1 }], false, false],
    ['one of two modifiers', [noDiscount, {}], true, true],
  ])('counts %s', (_what, modifiers, byAmount, byPercentage) => {
    const below = modifiers.map((more, at) => line(`m${at}`, 2, 100, { parentLineId: 'burger', ...more }));
    const lines = [line('burger', 2, 0), ...below];
    const counts = (more: object) => {
      const priced = offersOf([ten({ ...of('burger'), ...more })], { lines, policies: { modifiers: 'together' } });
      return eligibleLines(priced.offers[0]!, 0, priced.lines).length > 0;
    };
    expect([counts({ kind: 'line_amount', amount: 5, per: 'unit' }), counts({})]).toEqual([byAmount, byPercentage]);
  });

  it.each<[string, object, number]>([
    ['all that its lines cost now', {}, 1_000 + 450],
    ['of its own lines', of('b'), 450],
    ['its cap', { maximumDiscount: 99 }, 99],
    ['its percentage of the order', { kind: 'order_percent' }, 145],
    ['its amount off the order', { kind: 'order_amount', amount: 70 }, 70],
    ['nothing where it adds a product', { kind: 'free_product', productId: 'x' }, 0],
  ])('bounds what it saves: %s', (_what, more, most) => {
    const lines = [
      ...[line('a', 1, 1_000), line('b', 2, 300, { ...staff(100), ...allocated(50) })],
      line('c', 1, 500, { noDiscount: true }),
    ];
    const priced = offersOf([ten(more)], { lines });
    expect(mostOfOffer(priced.offers[0]!, priced.lines)).toBe(most);
  });
});
