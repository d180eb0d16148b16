/** The grants of a member that another one was merged into: each name once, as large as both together. */
import { expect, it } from 'vitest';
import { addGrants } from '../../src/store/merged-grants.ts';

const card = { benefitId: 'cake', grantId: 'card-7' };

it('are those of both, in the order of the one that stays', () => {
  expect(addGrants([], [])).toEqual([]);
  expect(addGrants(['tea', card], ['soup', { ...card, grantId: 'card-8' }, 'tea'])).toEqual([
    ...['tea', card, 'soup', { ...card, grantId: 'card-8' }],
  ]);
});

it('of one name count the baskets of both, from the first day of either to the last', () => {
  const join = (one: object, other: object) => addGrants([{ ...card, ...one }], [{ ...card, ...other }]);
  expect(join({ quantity: 2 }, { quantity: 3 })).toEqual([{ ...card, quantity: 5 }]);
  const days = (from: string, to: string) => ({ from, to });
  expect(join(days('2026-02-01', '2026-02-28'), days('2026-01-15', '2026-02-10'))).toEqual([
    { ...card, ...days('2026-01-15', '2026-02-28') },
  ]);
  expect(join(days('2026-01-15', '2026-02-10'), days('2026-02-01', '2026-02-28'))).toEqual([
    { ...card, ...days('2026-01-15', '2026-02-28') },
  ]);
});

it('without a count, a first or a last day stay without one', () => {
  const whole = { quantity: 2, from: '2026-01-01', to: '2026-01-31' };
  for (const [one, other] of [
    [whole, {}],
    [{}, whole],
  ] as const) {
    expect(addGrants([{ ...card, ...one }], [{ ...card, ...other }])).toStrictEqual([card]);
  }
  // A benefitId alone has neither.
  const named = { ...card, ...whole, grantId: 'cake' };
  expect(addGrants(['cake'], [named])).toEqual(['cake']);
  expect(addGrants([named], ['cake'])).toEqual(['cake']);
  expect(addGrants(['cake'], ['cake'])).toEqual(['cake']);
});

it('of one name for another benefit stay what they were, whoever has a benefitId alone', () => {
  const tea = { ...card, benefitId: 'tea', quantity: 5 };
  const ten = { ...card, quantity: 10 };
  expect(addGrants([ten], [tea])).toEqual([ten]);
  const named = { ...tea, grantId: 'cake' };
  expect(addGrants([named], ['cake'])).toEqual([named]);
  expect(addGrants(['cake'], [named])).toEqual(['cake']);
});

it('of which one has no first or no last day have none either, and keep the other one', () => {
  const join = (one: object, other: object) => addGrants([{ ...card, ...one }], [{ ...card, ...other }]);
  const [whole, half] = [{ from: '2026-01-01', to: '2026-01-31' }, { to: '2026-02-28' }];
  for (const [one, other] of [
    [whole, half],
    [half, whole],
  ] as const) {
    expect(join(one, other)).toStrictEqual([{ ...card, to: '2026-02-28' }]);
  }
  const open = { from: '2026-02-01' };
  for (const [one, other] of [
    [whole, open],
    [open, whole],
  ] as const) {
    expect(join(one, other)).toStrictEqual([{ ...card, from: '2026-01-01' }]);
  }
});
