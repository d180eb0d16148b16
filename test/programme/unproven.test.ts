/** Warnings where the best answer may not be proven, and of limits that are shared with nobody. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readExamples } from '../../packages/engine/test/support/examples.ts';
import { inspectEnvironment } from '../../src/programme/inspect.ts';
import type { EnvironmentFile } from '../../src/programme/schema.ts';
import { sourceOf } from '../../src/programme/source.ts';
import { type Surroundings, surroundingsOf } from '../../src/programme/warnings/surroundings.ts';
import { judgeByBaskets } from '../../src/programme/warnings/unproven-baskets.ts';
import { bun, coffee, oslo } from './warned.ts';

function warningsOf(benefits: readonly object[], programme: object = {}, products?: readonly object[]): string[] {
  const venue = { venueId: 'oslo', terminalSetups: ['1'], currencies: ['NOK'], timeZone: 'Europe/Oslo', products };
  const named = benefits.map((benefit, at) => ({ benefitId: `b${at}`, ...benefit }));
  const file = {
    environment: 'staging',
    venues: [{ ...venue, programmeId: 'club' }],
    programmes: [{ programmeId: 'club', benefits: named, ...programme }],
  };
  const { faults, warnings } = inspectEnvironment(sourceOf(JSON.stringify(file), 'x.yaml'), '2026-11-21', []);
  expect(faults).toEqual([]);
  return warnings.map(({ path, text }) => `${path.replace('programmes[0].', '')}: ${text}`);
}

it('warns of sets whose halves overlap in part', () => {
  const set = (buy: object, get: object) => [
    { kind: 'buy_x_get_y', buy: { quantity: 1, ...buy }, get: { quantity: 1, ...get } },
  ];
  const of = (...productGroupIds: string[]) => ({ appliesTo: { productGroupIds } });
  expect(warningsOf(set(of('coffee', 'pastry'), of('pastry')))).toEqual([
    'benefits[0].get.appliesTo: it shares pastry with buy.appliesTo, which also names others: with many units the best sets may not be proven',
  ]);
  expect(warningsOf(set(of('coffee'), of('coffee')))).toEqual([]);
  expect(warningsOf(set(of('coffee'), of('pastry')))).toEqual([]);
  expect(warningsOf(set(of('coffee', 'tea'), of('pastry')))).toEqual([]);
  expect(warningsOf(set(of('pastry'), of('coffee', 'pastry')))).toHaveLength(1);
  for (const [buy, get] of [
    [{}, {}],
    [of('coffee'), {}],
    [{}, of('coffee')],
  ] as const) {
    expect(warningsOf(set(buy, get))).toEqual([]);
  }
});

it('warns of groups of very many benefits', () => {
  const members = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ kind: 'order_percent', percent: at + 1, group: 'one' }));
  const groups = { groups: { one: { atMost: 1 } } };
  expect(warningsOf(members(9), groups)).toEqual([
    'groups.one: it has 9 benefits: if more than 8 of them match a basket, the best may not be proven',
  ]);
  expect(warningsOf(members(8), groups)).toEqual([]);
  const others = members(5).map((benefit) => ({ ...benefit, group: 'two' }));
  expect(warningsOf([...members(5), ...others], { groups: { ...groups.groups, two: { atMost: 1 } } })).toEqual([]);
});

it('warns of a shared limit that nobody shares', () => {
  const limit = { quantity: 1, period: 'day', counts: 'baskets', limitId: 'alone' };
  const benefit = { kind: 'order_percent', percent: 5, limit };
  expect(warningsOf([benefit])).toEqual([
    'benefits[0].limit.limitId: shared with nobody: no other benefit has the limitId alone',
  ]);
  expect(warningsOf([benefit, benefit])).toEqual([]);
});

describe('programmes whose made-up baskets are often not proven best', () => {
  const most = { maximumDiscount: 3000 };
  const coupon = (percent: number, maximumUnits: number) => ({ kind: 'line_percent', percent, maximumUnits, ...most });
  const ofTheDay = (percent: number, quantity: number) => ({
    ...{ kind: 'line_percent', percent, audience: 'granted', ...most },
    limit: { quantity, period: 'day', counts: 'items' },
  });
  const set = (buy: number, get: number, percent: number) => {
    return { kind: 'buy_x_get_y', buy: { quantity: buy }, get: { quantity: get, percent } };
  };
  const sets = [set(2, 1, 100), set(3, 1, 100), set(1, 1, 60), set(4, 2, 90), set(3, 2, 80)];
  const coupons = [coupon(20, 5), ofTheDay(15, 5), ofTheDay(35, 4), ofTheDay(25, 6), ofTheDay(45, 3), coupon(30, 4)];
  const others = [coupon(33, 3), ofTheDay(41, 5), coupon(27, 6), ofTheDay(38, 2), coupon(22, 7), ofTheDay(18, 8)];
  const crowd = [...sets, ...coupons, ...others];
  const often = (warnings: readonly string[]) => warnings.filter((text) => text.includes('will often be bounded'));

  it('several coupons with a maximum beside sets of the same products are warned of', () => {
    expect(often(warningsOf(crowd))).toEqual([
      'benefits: answers will often be bounded: for a member with every grant, 4 of 6 generated baskets of 10 lines were not proven best',
    ]);
    expect(often(warningsOf([...sets.slice(0, 1), ...coupons.slice(0, 1)]))).toEqual([]);
  });

  it('the tier that can have them all is named', () => {
    const gold = { when: { tiers: ['gold'] } };
    expect(often(warningsOf(crowd.map((benefit) => ({ ...benefit, ...gold }))))).toEqual([
      'benefits: answers will often be bounded: for a member of the tier gold with every grant, 4 of 6 generated baskets of 10 lines were not proven best',
    ]);
  });

  it('what nobody can have at once, or any longer, is not', () => {
    const apart = coupons.map((benefit, at) => ({ ...benefit, when: { tiers: [`t${at}`] } }));
    expect(often(warningsOf([set(2, 1, 100), ...apart]))).toEqual([]);
    const over = coupons.map((benefit) => ({ ...benefit, when: { to: '2026-11-20' } }));
    expect(often(warningsOf([set(2, 1, 100), ...over]))).toEqual([]);
  });

  it('are those of benefits that are on and not over', () => {
    const isTold = (change: object) =>
      often(warningsOf(crowd.map((benefit) => ({ ...benefit, ...change })))).length > 0;
    expect(isTold({ when: { to: '2026-11-21' } })).toBe(true);
    expect(isTold({ when: { to: '2026-11-20' } })).toBe(false);
    expect(isTold({ when: [{ to: '2026-11-20' }, { tiers: ['gold'] }] })).toBe(true);
    expect(isTold({ enabled: false })).toBe(false);
  });

  it('are made up for six tiers at most, no tier among them', () => {
    const onlyIn = (tier: string, benefits: readonly object[]) =>
      benefits.map((benefit) => ({ ...benefit, when: { tiers: [tier] } }));
    const rivals = (count: number) =>
      Array.from({ length: count }, (_, at) => onlyIn(`tier ${at}`, [coupon(5, 1)])).flat();
    expect(often(warningsOf([...onlyIn('tier z', crowd), ...rivals(4)]))[0]).toContain('a member of the tier tier z');
    expect(often(warningsOf([...onlyIn('tier z', crowd), ...rivals(5)]))).toEqual([]);
  });

  const named = (benefits: readonly object[]) => benefits.map((benefit, at) => ({ benefitId: `b${at}`, ...benefit }));
  const around = (benefits: readonly object[], venues: readonly object[] = [oslo]) => {
    const programme = { programmeId: 'club', groups: { one: { atMost: 1 } }, benefits: named(benefits) };
    const file = { environment: 'staging', venues, programmes: [programme] } as unknown as EnvironmentFile;
    return surroundingsOf(file, [], '2026-11-21')[0]!;
  };

  it('are not made up where a benefit has an error, or no venue runs the programme', () => {
    const isTold = (surroundings: Surroundings) => [...judgeByBaskets()(surroundings)].length > 0;
    const beside = { ...around(crowd), isComplete: false };
    expect([isTold(around(crowd)), isTold(beside), isTold(around(crowd, []))]).toEqual([true, false, false]);
  });

  it('are not made up where the programme asks for many steps, or others took those of the environment', () => {
    const isTold = (maximumSteps: number, steps: number, before: readonly object[] = []) => {
      const judge = judgeByBaskets(300, steps);
      for (const _ of judge(around(before)));
      const surroundings = around(crowd);
      return [...judge({ ...surroundings, programme: { ...surroundings.programme, maximumSteps } })].length > 0;
    };
    const few = sets.slice(0, 2);
    expect([isTold(12_000, 1, few.slice(1)), isTold(12_000, 1, few), isTold(24_001, 1)]).toEqual([true, false, false]);
  });

  it('are of what the venues sell with discounts; where they list nothing, of made-up products with the names of selectors', () => {
    const boundedOf = (benefits: readonly object[], products: readonly object[], programme: object = {}) => {
      const surroundings = { ...around(benefits, [{ ...oslo, products }]), ...programme };
      return [...judgeByBaskets()(surroundings)].map(({ text }) => / (\d of 6) /.exec(text)![1]);
    };
    const without = { noDiscount: { ...coffee, noDiscount: true }, price: { ...coffee, unitPrice: 0 } };
    const isHidden = ({ productGroupId }: { productGroupId?: string }) => productGroupId === 'pastry';
    expect(boundedOf(crowd, [coffee])).toEqual(['6 of 6']);
    expect(boundedOf(crowd, [without.noDiscount, without.price, bun], { isHidden })).toEqual(['4 of 6']);
    const appliesTo = { productGroupIds: Array.from({ length: 30 }, (_, at) => `group ${at}`) };
    const named = coupons.map((benefit) => ({ ...benefit, appliesTo }));
    const ofGroups = (products: readonly object[]) => boundedOf([...named, ...named], products, { isHidden });
    expect(ofGroups([])).toEqual(['5 of 6']);
    for (const unsold of [without.noDiscount, without.price, bun]) expect(ofGroups([unsold])).toEqual(['5 of 6']);
    expect(ofGroups([coffee])).toEqual([]);
  });

  describe('are limited in number for all programmes together: a programme', () => {
    /** True when nothing is left of six baskets for another programme. */
    const takesSix = (...benefits: readonly object[]) => {
      const judge = judgeByBaskets(6);
      for (const _ of judge(around(benefits)));
      return [...judge(around(crowd))].length === 0;
    };
    const plain = { kind: 'line_percent', percent: 5 };
    const limited = (...counts: string[]) => {
      const limits = counts.map((each, at) => ({ quantity: 3, period: ['day', 'week'][at], counts: each }));
      return { ...plain, limit: limits.length === 1 ? limits[0] : limits };
    };

    it.each<[string, object]>([
      ['sets', set(1, 1, 100)],
      ['bundles', { kind: 'bundle_price', items: [{ quantity: 2 }], bundlePrice: 100 }],
      ['limited items', limited('items')],
      ['limited items beside baskets', limited('baskets', 'items')],
      ['a most of units', { ...plain, maximumUnits: 1 }],
      ['a most saved', { ...plain, maximumDiscount: 100 }],
      ['a group', { ...plain, group: 'one' }],
      ['a least saving', { ...plain, minimumSaving: 1 }],
    ])('with two benefits of %s takes some', (_, benefit) => {
      expect(takesSix(benefit, benefit)).toBe(true);
    });

    it('whose benefits do not compete takes none', () => {
      expect([takesSix(plain, set(1, 1, 100)), takesSix(limited('baskets'), limited('baskets'))]).toEqual([
        false,
        false,
      ]);
    });
  });

  it('ordinary programmes are not: one benefit of a sort, and all recipes', () => {
    expect(warningsOf([set(2, 1, 100), coupon(20, 2), { kind: 'order_percent', percent: 5 }])).toEqual([]);
    const staging = parse(readFileSync('config/staging.yaml', 'utf8')) as { venues: { products: object[] }[] };
    for (const { benefits, programme } of readExamples('config/recipes.md')) {
      expect(often(warningsOf(benefits, programme, staging.venues[0]!.products))).toEqual([]);
    }
  });
});
