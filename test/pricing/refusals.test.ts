/** Why a benefit did not apply although it is open, in the words of its limits, its group and the other benefits. */
import { describe, expect, it } from 'vitest';
import type { BasketLine, BasketRequest } from '../../src/contract/basket-request.ts';
import type { BenefitDefinition } from '../../src/pricing/definition.ts';
import { buildBasket } from './support/basket.ts';
import { allocated, line, staff } from './support/choices.ts';
import { type Circumstances, priceFully } from './support/price.ts';

const on = (...productIds: string[]) => ({ appliesTo: { productIds } });
const percent = (benefitId: string, own: number, more: object = {}) =>
  ({ benefitId, kind: 'line_percent', percent: own, ...more }) as BenefitDefinition;

/** What the trace says of `b`. */
function told(
  benefits: BenefitDefinition[],
  more: Circumstances = {},
  lines: BasketLine[] = [line('a', 3, 1_000)],
  basket: Partial<BasketRequest> = {},
) {
  const { trace } = priceFully(buildBasket(lines, basket), benefits, { ...more, trace: true });
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
    expect(told([percent('b', 10, { limit: { ...daily, period: 'lifetime' } })], { left: { b: 0 } })).toStrictEqual(
      used,
    );
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
    // A limit that never has as many units as one bundle takes leaves enough at no time.
    const few = 'It takes 3 units at once, and 2 are left of its limit.';
    expect(rest(2, { limit: { ...limit, quantity: 2 } })).toStrictEqual({ reason: 'limit_used_up', explanation: few });
    expect(rest(2, { limit: { ...limit, quantity: 3 } })).toEqual({ ...used, explanation: few });
  });

  it('that leaves a single unit leaves enough for a benefit of lines', () => {
    const limit = { quantity: 4, period: 'week', counts: 'items' } as const;
    const one = told([percent('b', 10, { limit }), percent('c', 50)], { left: { b: 1 } }, [line('a', 1, 1_000)]);
    expect(one).toEqual({ reason: 'others_save_more', instead: ['c'] });
  });

  it('that leaves too few units is the one of several that does', () => {
    const menu = { benefitId: 'b', kind: 'bundle_price', bundlePrice: 100, items: [{ quantity: 3 }] } as const;
    const few = { quantity: 4, period: 'week', counts: 'items' } as const;
    const words = { reason: 'limit_used_up', explanation: 'It takes 3 units at once, and 1 is left of its limit.' };
    const other = (own: object) => told([{ ...menu, limit: [{ ...few, ...own }, few] }], { left: { 'b#items': 1 } });
    expect(other({ quantity: 2, period: 'day', counts: 'baskets' })).toEqual({ ...words, change: 'next week' });
    const own = (quantity: number) => ({ ...few, of: 'programme', quantity }) as const;
    for (const quantity of [3, 9])
      expect(told([{ ...menu, limit: [own(quantity), few] }], { left: { 'b#items': 1 } })).toEqual({
        ...{ ...words, change: 'next week' },
      });
  });

  it('is not the reason where fewer units than one bundle takes are permitted anyway', () => {
    const limit = { quantity: 4, period: 'week', counts: 'items' } as const;
    const menu = { benefitId: 'b', kind: 'bundle_price', bundlePrice: 100, items: [{ quantity: 3 }], limit } as const;
    const most = (maximumUnits: number) => told([{ ...menu, maximumUnits }], { left: { b: 1 } });
    expect(most(2)).toEqual({ reason: 'nothing_to_save' });
    expect(most(3)).toMatchObject({ reason: 'limit_used_up' });
  });

  it('that others have spent names them', () => {
    const pot = { quantity: 1, period: 'week', counts: 'baskets', limitId: 'pot' } as const;
    const benefits = [percent('b', 10, { limit: pot, ...on('a') }), percent('c', 20, { limit: pot, ...on('c') })];
    const lines = [line('a', 1, 1_000), line('c', 1, 1_000)];
    expect(told(benefits, {}, lines)).toEqual({ reason: 'limit_used_up', change: 'next week', instead: ['c'] });
    const both = percent('b', 10, { limit: [{ ...daily, counts: 'items' }, pot], ...on('a') });
    expect(told([both, benefits[1]!], {}, lines)).toMatchObject({ change: 'next week' });
  });

  it('that others have spent for good names them, and not what else the guest gets', () => {
    const pot = { quantity: 1, period: 'lifetime', counts: 'baskets', limitId: 'pot' } as const;
    const own = (benefitId: string, more: number) => percent(benefitId, more, { limit: pot, ...on(benefitId) });
    const lines = ['b', 'c', 'd'].map((name) => line(name, 1, 1_000));
    expect(told([own('b', 10), own('c', 20), percent('d', 90, on('d'))], {}, lines)).toStrictEqual({
      ...{ reason: 'limit_used_up', instead: ['c'] },
    });
  });

  it('of which something is left is not the reason', () => {
    const pot = { quantity: 2, period: 'week', counts: 'baskets', limitId: 'pot' } as const;
    const benefits = [percent('b', 10, { limit: pot }), percent('c', 20, { limit: pot })];
    expect(told(benefits)).toEqual({ reason: 'others_save_more', instead: ['c'] });
  });
});

describe('a grant', () => {
  const granted = percent('b', 10, { audience: 'granted' });
  const card = (quantity: number) => ({ grants: [{ benefitId: 'b', grantId: 'card', quantity }] });

  it('says how many of its baskets are left, and nothing where they are not counted', () => {
    expect(told([granted], { member: card(3), left: { 'b/card': 2 } })).toEqual({
      saved: 300,
      left: '1 of 3 cards left',
    });
    expect(told([granted], { member: { grants: ['b'] } })).toStrictEqual({ saved: 300 });
  });

  it('is not the reason where the limit of its benefit is used up', () => {
    const both = percent('b', 10, { audience: 'granted', limit: daily });
    expect(told([both], { member: card(1), left: { b: 0 } })).toEqual({ reason: 'limit_used_up', change: 'tomorrow' });
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
  // A group with room for another benefit is no reason.
  const two = [percent('b', 10, group), percent('c', 20, group)];
  expect(told(two, { policies })).toEqual({ reason: 'others_save_more', instead: ['c'] });
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
    [
      'is short on all lines',
      { minimumSpend: 1_600, minimumSpendOn: 'basket', ...on('c') },
      { change: '2.00 short of the minimum after other benefits' },
    ],
  ])('%s', (_case, more, words) => {
    const reason = 'saved' in words ? {} : { reason: 'below_minimum_spend' };
    expect(told([order(more), percent('ten', 10, on('a'))], {}, lines)).toEqual({ ...reason, ...words });
  });

  it.each([800, 900])('is not the reason where %i of 900 are asked for', (minimumSpend) => {
    const own = [line('a', 1, 1_000)];
    expect(told([order({ minimumSpend }), percent('c', 10, { exclusive: true })], {}, own)).toEqual({
      ...{ reason: 'not_combinable', instead: ['c'] },
    });
  });
});

it('a minimum saving that is not reached says what would have been saved', () => {
  expect(told([percent('b', 10, { minimumSaving: 301 })])).toEqual({
    ...{ reason: 'below_minimum_saving', change: 'saves 3.00, and 3.01 at least are asked for' },
  });
  expect(told([percent('b', 10, { minimumSaving: 300 })])).toEqual({ saved: 300 });
  // Beside another benefit it would save less than alone, and no more than alone where the other one saves more everywhere.
  const lines = [line('a', 1, 1_000), line('c', 1, 2_000), line('d', 1, 1_000)];
  const others = [percent('c', 20, on('c')), percent('d', 50, { ...on('d'), minimumSaving: 9_000 })];
  expect(told([percent('b', 10, { minimumSaving: 350 }), ...others], {}, lines)).toEqual({
    ...{ reason: 'below_minimum_saving', change: 'saves 2.00, and 3.50 at least are asked for' },
  });
  expect(told([percent('b', 10, { minimumSaving: 301 }), percent('c', 20)])).toEqual({
    ...{ reason: 'below_minimum_saving', change: 'saves 3.00, and 3.01 at least are asked for' },
  });
});

it('a benefit is not looked at alone where no steps are left', () => {
  const dear = line('a', 1, 1_000, staff(900));
  expect(told([percent('b', 10)], {}, [dear])).toEqual({ reason: 'nothing_to_save' });
  expect(told([percent('b', 10)], { maximumSteps: 0 }, [dear])).toEqual({ reason: 'others_save_more', instead: [] });
});

it('a discount on the order is not kept out by what the staff gave on a line', () => {
  const policies = { existingLineDiscounts: 'keep' } as const;
  const order = (benefitId: string, amount: number) => ({ benefitId, kind: 'order_amount', amount }) as const;
  const benefits = [order('b', 50), { ...order('c', 100), exclusive: true }];
  expect(told(benefits, { policies }, [line('a', 1, 1_000, staff(100))])).toEqual({
    ...{ reason: 'not_combinable', instead: ['c'] },
  });
});

it('an exclusive benefit is not combined, whichever of the two it is', () => {
  const lines = [line('a', 1, 1_000), line('c', 1, 1_000)];
  const other = (more: object) => percent('c', 20, { ...on('c'), ...more });
  const refused = { reason: 'not_combinable', instead: ['c'] };
  expect(told([percent('b', 10, on('a')), other({ exclusive: true })], {}, lines)).toEqual(refused);
  expect(told([percent('b', 10, { ...on('a'), exclusive: true }), other({})], {}, lines)).toEqual(refused);
});

describe('staff discounts that stay', () => {
  const policies = {
    existingDiscountScope: 'basket',
    existingLineDiscounts: 'replace_if_larger',
    existingOrderDiscounts: 'replace_if_larger',
  } as const;
  const lines = [line('a', 1, 1_000, staff(300)), line('c', 1, 1_000, { ...staff(200), ...allocated(40, 20) })];
  const orderDiscounts: BasketRequest['orderDiscounts'] = [
    { orderDiscountId: 'staff-0', type: 'amount', amount: 40 },
    { orderDiscountId: 'staff-1', type: 'amount', amount: 20 },
  ];
  const kept = (more: Circumstances) => told([percent('b', 10)], { policies, ...more }, lines, { orderDiscounts });
  const sentence = (words: string) => ({
    ...{ reason: 'existing_discount_kept', explanation: `Staff discounts of 5.60 or benefits${words}` },
  });

  it('are told with what the benefits would give', () => {
    expect(kept({})).toEqual(sentence(' of 2.00, never both: the cheaper for the guest stays.'));
  });

  it('are told alone where they never give way, or no steps are left to see what the benefits would give', () => {
    const alone = sentence(', never both: the staff discounts stay.');
    expect(kept({ policies: { ...policies, existingOrderDiscounts: 'keep' } })).toEqual(alone);
    expect(kept({ maximumSteps: 0 })).toEqual(alone);
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
