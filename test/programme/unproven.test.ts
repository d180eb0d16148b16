/** Warnings where the best answer may not be proven, and of limits that are shared with nobody. */
import { expect, it } from 'vitest';
import { inspectEnvironment } from '../../src/programme/inspect.ts';
import { sourceOf } from '../../src/programme/source.ts';

function warningsOf(benefits: readonly object[], programme: object = {}): string[] {
  const venue = { venueId: 'oslo', terminalSetups: ['1'], currencies: ['NOK'], timeZone: 'Europe/Oslo' };
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
    'benefits[0].get.appliesTo: it shares pastry with buy.appliesTo, which names others too: of many units the best sets may not be proven',
  ]);
  expect(warningsOf(set(of('coffee'), of('coffee')))).toEqual([]);
  expect(warningsOf(set(of('coffee'), of('pastry')))).toEqual([]);
  expect(warningsOf(set({}, {}))).toEqual([]);
});

it('warns of groups of very many benefits', () => {
  const members = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ kind: 'order_percent', percent: at + 1, group: 'one' }));
  const groups = { groups: { one: { atMost: 1 } } };
  expect(warningsOf(members(9), groups)).toEqual([
    'groups.one: it has 9 benefits: where more than 8 of them fit a basket, the best may not be proven',
  ]);
  expect(warningsOf(members(8), groups)).toEqual([]);
});

it('warns of a shared limit that nobody shares', () => {
  const limit = { quantity: 1, period: 'day', counts: 'baskets', limitId: 'alone' };
  const benefit = { kind: 'order_percent', percent: 5, limit };
  expect(warningsOf([benefit])).toEqual([
    'benefits[0].limit.limitId: shared with nobody: no other benefit has the limitId alone',
  ]);
  expect(warningsOf([benefit, benefit])).toEqual([]);
});
