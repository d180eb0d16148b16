/** A limit whose counter gets another name begins anew, and a reload and `check` say so. */
import { expect, it } from 'vitest';
import { findRestartedLimits } from '../../src/programme/restarted-limits.ts';

type Programmes = Parameters<typeof findRestartedLimits>[0];

const programmesWith = (limit: object | undefined) =>
  [{ programmeId: 'coffee-club', benefits: [{ benefitId: 'coffee', limit }] }] as unknown as Programmes;
const ITEMS = { quantity: 20, period: 'month', counts: 'items' };

it('names what has changed', () => {
  const restarts = (after: object) => findRestartedLimits(programmesWith(ITEMS), programmesWith(after));
  expect(restarts({ ...ITEMS, counts: 'baskets', quantity: 5 })).toEqual([
    'the limit of coffee-club coffee begins again: counts was items and is baskets',
  ]);
  expect(restarts({ ...ITEMS, period: 'day', limitId: 'treats' })).toEqual([
    'the limit of coffee-club coffee begins again: limitId was absent and is treats, period was month and is day',
  ]);
});

it('says nothing of another quantity, of a new limit and of one that is gone', () => {
  expect(findRestartedLimits(programmesWith(ITEMS), programmesWith({ ...ITEMS, quantity: 5 }))).toEqual([]);
  expect(findRestartedLimits(programmesWith(undefined), programmesWith(ITEMS))).toEqual([]);
  expect(findRestartedLimits(programmesWith(ITEMS), programmesWith(undefined))).toEqual([]);
});

it('names a benefit that has another name and is otherwise the same', () => {
  const named = (benefit: object) => [{ programmeId: 'coffee-club', benefits: [benefit] }] as unknown as Programmes;
  const coffee = { benefitId: 'coffee', kind: 'line_percent', percent: 20, limit: ITEMS };
  const renamed = { ...coffee, benefitId: 'kaffe', text: 'Kaffe' };
  expect(findRestartedLimits(named(coffee), named(renamed))).toEqual([
    'coffee-club coffee is now kaffe, and its limit begins again: the uses of members are forgotten; keep benefitId: coffee and change its text to continue counting',
  ]);
  const { kind, ...others } = renamed;
  expect(findRestartedLimits(named(coffee), named({ ...others, kind }))).toHaveLength(1);
  expect(findRestartedLimits(named(coffee), named({ ...renamed, percent: 25 }))).toEqual([]);
  const shared = { ...ITEMS, limitId: 'treats' };
  expect(findRestartedLimits(named({ ...coffee, limit: shared }), named({ ...renamed, limit: shared }))).toEqual([]);
});
