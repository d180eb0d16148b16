/** Warnings where the best answer may not be proven, and of limits that are shared with nobody. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { inspectEnvironment } from '../../src/programme/inspect.ts';
import { sourceOf } from '../../src/programme/source.ts';
import { readExamples } from '../pricing/support/examples.ts';

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
  const often = (warnings: readonly string[]) => warnings.filter((text) => text.includes('will often be bounded'));

  it('several coupons with a maximum beside sets of the same products are warned of', () => {
    expect(often(warningsOf([...sets, ...coupons]))).toEqual([
      'benefits: answers will often be bounded: for a member with every grant, 5 of 6 generated baskets of 10 lines were not proven best',
    ]);
  });

  it('the tier that can have them all is named', () => {
    const gold = { when: { tiers: ['gold'] } };
    expect(often(warningsOf([...sets, ...coupons].map((benefit) => ({ ...benefit, ...gold }))))).toEqual([
      'benefits: answers will often be bounded: for a member of the tier gold with every grant, 5 of 6 generated baskets of 10 lines were not proven best',
    ]);
  });

  it('what nobody can have at once, or any longer, is not', () => {
    const apart = coupons.map((benefit, at) => ({ ...benefit, when: { tiers: [`t${at}`] } }));
    expect(often(warningsOf([set(2, 1, 100), ...apart]))).toEqual([]);
    const over = coupons.map((benefit) => ({ ...benefit, when: { to: '2026-11-20' } }));
    expect(often(warningsOf([set(2, 1, 100), ...over]))).toEqual([]);
  });

  it('ordinary programmes are not: one benefit of a sort, and all recipes', () => {
    expect(warningsOf([set(2, 1, 100), coupon(20, 2), { kind: 'order_percent', percent: 5 }])).toEqual([]);
    const staging = parse(readFileSync('config/staging.yaml', 'utf8')) as { venues: { products: object[] }[] };
    for (const { benefits, programme } of readExamples('config/recipes.md')) {
      expect(often(warningsOf(benefits, programme, staging.venues[0]!.products))).toEqual([]);
    }
  });
});
