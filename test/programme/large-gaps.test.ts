/** Warnings of programmes that leave large gaps, and of limits that are shared with nobody. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readExamples } from '../../packages/engine/test/support/examples.ts';
import { inspectEnvironment } from '../../src/programme/inspect.ts';
import type { EnvironmentFile } from '../../src/programme/schema.ts';
import { sourceOf } from '../../src/programme/source.ts';
import { programmesOf } from '../../src/programme/warnings/advice.ts';
import { judgeByBaskets } from '../../src/programme/warnings/large-gaps.ts';
import { oslo } from './case-file.ts';

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

it('warns of a shared limit that nobody shares', () => {
  const limit = { quantity: 1, period: 'day', counts: 'baskets', limitId: 'alone' };
  const benefit = { kind: 'order_percent', percent: 5, limit };
  expect(warningsOf([benefit])).toEqual([
    'benefits[0].limit.limitId: shared with nobody: no other benefit has the limitId alone',
  ]);
  expect(warningsOf([benefit, benefit])).toEqual([]);
});

describe('programmes whose made-up baskets often have a large gap', () => {
  const most = { maximumDiscount: 3000 };
  const coupon = (percent: number, maximumUnits: number) => ({ kind: 'line_percent', percent, maximumUnits, ...most });
  const ofTheDay = (percent: number, quantity: number) => ({
    ...{ kind: 'line_percent', percent, audience: 'granted', ...most },
    limit: { quantity, period: 'day', counts: 'items' },
  });
  const set = (buy: number, get: number, percent: number) => {
    return { kind: 'buy_x_get_y', buy: { quantity: buy }, get: { quantity: get, percent } };
  };
  /** Of 10 to 20 units neither is full without leaving some over. */
  const bundle = (quantity: number, percent: number) => ({ kind: 'bundle_price', items: [{ quantity }], percent });
  const crowd = [bundle(9, 40), { ...bundle(13, 50), audience: 'granted' }];
  const coupons = [coupon(20, 5), ofTheDay(15, 5)];
  const often = (warnings: readonly string[]) =>
    warnings.filter((text) => text.includes('often miss a cheaper choice'));

  it('bundles of many units that leave some over are warned of', () => {
    expect(often(warningsOf(crowd))).toEqual([
      'benefits: answers may often miss a cheaper choice: for a member with every grant, 4 of 6 generated baskets of 10 lines have a gap above 1 %',
    ]);
    expect(often(warningsOf([set(2, 1, 100), ...coupons.slice(0, 1)]))).toEqual([]);
  });

  it('the tier that can have them all is named', () => {
    const gold = { when: { tiers: ['gold'] } };
    expect(often(warningsOf(crowd.map((benefit) => ({ ...benefit, ...gold }))))).toEqual([
      'benefits: answers may often miss a cheaper choice: for a member of the tier gold with every grant, 4 of 6 generated baskets of 10 lines have a gap above 1 %',
    ]);
  });

  it('what nobody can have at once, or any longer, is not', () => {
    const apart = coupons.map((benefit, at) => ({ ...benefit, when: { tiers: [`t${at}`] } }));
    expect(often(warningsOf([set(2, 1, 100), ...apart]))).toEqual([]);
    const over = coupons.map((benefit) => ({ ...benefit, when: { to: '2026-11-20' } }));
    expect(often(warningsOf([set(2, 1, 100), ...over]))).toEqual([]);
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
    return programmesOf(file, [], '2026-11-21')[0]!;
  };

  it('are not made up where no venue runs the programme', () => {
    const isTold = (...venues: object[]) => [...judgeByBaskets()(around(crowd, venues))].length > 0;
    expect([isTold(oslo), isTold()]).toEqual([true, false]);
  });

  it('are not made up where the programme asks for many steps, or others took those of the environment', () => {
    const isTold = (maximumSteps: number, steps: number, before: readonly object[] = []) => {
      const judge = judgeByBaskets(300, steps);
      for (const _ of judge(around(before)));
      const surroundings = around(crowd);
      return [...judge({ ...surroundings, programme: { ...surroundings.programme, maximumSteps } })].length > 0;
    };
    const few = [set(2, 1, 100), set(3, 1, 100)];
    expect([isTold(12_000, 1, few.slice(1)), isTold(12_000, 1, few), isTold(24_001, 1)]).toEqual([true, false, false]);
  });

  it('ordinary programmes are not: one benefit of a sort, and all recipes', () => {
    expect(warningsOf([set(2, 1, 100), coupon(20, 2), { kind: 'order_percent', percent: 5 }])).toEqual([]);
    const staging = parse(readFileSync('config/staging.yaml', 'utf8')) as { venues: { products: object[] }[] };
    for (const { benefits, programme } of readExamples('config/recipes.md')) {
      expect(often(warningsOf(benefits, programme, staging.venues[0]!.products))).toEqual([]);
    }
  });
});
