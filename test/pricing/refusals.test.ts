/** Why a benefit did not apply although it is open, in the words of its limits, its group and the other benefits. */
import { describe, expect, it } from 'vitest';
import type { BasketLine } from '../../src/contract/basket-request.ts';
import type { BenefitDefinition } from '../../src/pricing/definition.ts';
import { buildBasket } from './support/basket.ts';
import { line, staff } from './support/choices.ts';
import { type Circumstances, priceFully } from './support/price.ts';

const on = (...productIds: string[]) => ({ appliesTo: { productIds } });
const percent = (benefitId: string, own: number, more: object = {}) =>
  ({ benefitId, kind: 'line_percent', percent: own, ...more }) as BenefitDefinition;

/** What the trace says of `b`. */
function told(benefits: BenefitDefinition[], more: Circumstances = {}, lines: BasketLine[] = [line('a', 3, 1_000)]) {
  const { trace } = priceFully(buildBasket(lines), benefits, { ...more, trace: true });
  const { benefitId: _, applied, saved, ...words } = trace!.benefits.find(({ benefitId }) => benefitId === 'b')!;
  return applied ? { saved, ...words } : words;
}

const daily = { quantity: 2, period: 'day', counts: 'baskets' } as const;
const all = { ...daily, of: 'programme' } as const;

describe('a limit', () => {
  it('that this sale uses up is told, unless it is that of all members', () => {
    const once = { ...daily, quantity: 1 };
    expect(told([percent('b', 10, { limit: once })])).toEqual({
      ...{ saved: 300, left: '0 left today', explanation: 'Applied; used up by this sale.' },
    });
    expect(told([percent('b', 10, { limit: daily })])).toEqual({ saved: 300, left: '1 left today' });
    expect(told([percent('b', 10, { limit: { ...all, quantity: 1 } })])).toEqual({
      ...{ saved: 300, left: '0 of 1 left today' },
    });
  });

  it('that is used up says when it begins anew; of several the one for all members', () => {
    const used = { reason: 'limit_used_up' };
    const limit = [daily, { ...all, period: 'week' }] as const;
    expect(told([percent('b', 10, { limit })], { left: { b: 0, 'b~programme': 0 } })).toEqual({
      ...{ ...used, change: "the campaign's budget is used up; it begins anew next week" },
    });
    expect(told([percent('b', 10, { limit })], { left: { b: 0 } })).toEqual({ ...used, change: 'tomorrow' });
    expect(told([percent('b', 10, { limit: { ...daily, period: 'lifetime' } })], { left: { b: 0 } })).toEqual(used);
    expect(told([percent('b', 10, { limit: daily, ...on('z') })], { left: { b: 0 } })).toEqual({
      ...{ reason: 'no_matching_line', change: '1 more of z' },
    });
  });

  it('that leaves too few units for one set or bundle says how many it leaves', () => {
    const limit = { quantity: 4, period: 'week', counts: 'items' } as const;
    const menu = { benefitId: 'b', kind: 'bundle_price', bundlePrice: 100, items: [{ quantity: 3 }], limit } as const;
    const rest = (left: number, more: object = {}) => told([{ ...menu, ...more }], { left: { b: left } });
    const used = { reason: 'limit_used_up', change: 'next week' };
    expect(rest(1)).toEqual({ ...used, explanation: 'It takes 3 units at once, and 1 is left of its limit.' });
    expect(rest(2)).toEqual({ ...used, explanation: 'It takes 3 units at once, and 2 are left of its limit.' });
    expect(rest(3)).toMatchObject({ saved: 2_900 });
    const set = { kind: 'buy_x_get_y', buy: { quantity: 1 }, get: { quantity: 2 } };
    expect(rest(1, set)).toEqual({ ...used, explanation: 'It takes 2 units at once, and 1 is left of its limit.' });
    expect(rest(2, set)).toMatchObject({ saved: 2_000 });
  });

  it('that others have spent names them', () => {
    const pot = { quantity: 1, period: 'week', counts: 'baskets', limitId: 'pot' } as const;
    const benefits = [percent('b', 10, { limit: pot, ...on('a') }), percent('c', 20, { limit: pot, ...on('c') })];
    const lines = [line('a', 1, 1_000), line('c', 1, 1_000)];
    expect(told(benefits, {}, lines)).toEqual({ reason: 'limit_used_up', change: 'next week', instead: ['c'] });
  });
});

it('a group that is full names its members and what they gave', () => {
  const policies = { groups: { lunch: { atMost: 2 } } };
  const group = { group: 'lunch' };
  const benefits = [
    ...[percent('b', 10, { ...group, ...on('a') }), percent('d', 30, { ...group, ...on('d') })],
    percent('c', 20, { ...group, ...on('c') }),
  ];
  const lines = ['a', 'c', 'd'].map((name) => line(name, 1, 1_000));
  expect(told(benefits, { policies }, lines)).toEqual({
    ...{ reason: 'group_used_up', change: 'the group `lunch` gave 5.00 already', instead: ['c', 'd'] },
  });
});

describe('a minimum after other benefits', () => {
  const order = (more: object) =>
    ({ benefitId: 'b', kind: 'order_amount', amount: 50, minimumSpendBasis: 'net', ...more }) as BenefitDefinition;
  const lines = [line('a', 1, 1_000), line('c', 1, 500)];

  it.each<[string, object, object]>([
    ['is met', { minimumSpend: 1_400 }, { saved: 50 }],
    [
      'is short by what others took',
      { minimumSpend: 1_450 },
      { change: '0.50 short of the minimum after other benefits' },
    ],
    ['is short of what came', { minimumSpend: 1_600 }, { change: '2.00 short of the minimum after other benefits' }],
    ['counts its own lines', { minimumSpend: 600, ...on('c') }, { change: '1.00 more' }],
    ['counts all lines', { minimumSpend: 1_400, minimumSpendOn: 'basket', ...on('c') }, { saved: 50 }],
  ])('%s', (_case, more, words) => {
    const reason = 'saved' in words ? {} : { reason: 'below_minimum_spend' };
    expect(told([order(more), percent('ten', 10, on('a'))], {}, lines)).toEqual({ ...reason, ...words });
  });
});

it('a minimum saving that is not reached says what would have been saved', () => {
  expect(told([percent('b', 10, { minimumSaving: 301 })])).toEqual({
    ...{ reason: 'below_minimum_saving', change: 'saves 3.00, and 3.01 at least are asked for' },
  });
  expect(told([percent('b', 10, { minimumSaving: 300 })])).toEqual({ saved: 300 });
});

it('an exclusive benefit is not combined, whichever of the two it is', () => {
  const lines = [line('a', 1, 1_000), line('c', 1, 1_000)];
  const other = (more: object) => percent('c', 20, { ...on('c'), ...more });
  const refused = { reason: 'not_combinable', instead: ['c'] };
  expect(told([percent('b', 10, on('a')), other({ exclusive: true })], {}, lines)).toEqual(refused);
  expect(told([percent('b', 10, { ...on('a'), exclusive: true }), other({})], {}, lines)).toEqual(refused);
});

it('staff discounts that stay are told with what the benefits would give', () => {
  const policies = {
    existingDiscountScope: 'basket',
    existingLineDiscounts: 'replace_if_larger',
    existingOrderDiscounts: 'replace_if_larger',
  } as const;
  const lines = [line('a', 1, 1_000, staff(300)), line('c', 1, 1_000, staff(200))];
  expect(told([percent('b', 10)], { policies }, lines)).toEqual({
    reason: 'existing_discount_kept',
    explanation: 'Staff discounts of 5.00 or benefits of 2.00, never both: the cheaper for the guest stays.',
  });
});

it('lines that the programme leaves out are told apart from those that are not there', () => {
  const policies = { exclude: { productIds: ['a'] } };
  expect(told([percent('b', 10, on('a'))], { policies })).toEqual({ reason: 'lines_excluded' });
  expect(told([percent('b', 10, on('z'))], { policies })).toEqual({
    reason: 'no_matching_line',
    change: '1 more of z',
  });
});
