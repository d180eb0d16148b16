/** Why a benefit did not apply although it is open, where a limit or a grant is used up. */
import { describe, expect, it } from 'vitest';
import { line } from './support/choices.ts';
import { on, percent, told } from './support/told.ts';

const daily = { quantity: 2, period: 'day', counts: 'baskets' } as const;
const all = { ...daily, of: 'programme' } as const;

describe('a limit', () => {
  it('that this sale uses up is told, unless it is that of all members', () => {
    const once = { ...daily, quantity: 1 };
    expect(told([percent('b', 10, { limit: once })])).toEqual({
      saved: 300,
      left: '0 left today',
      explanation: 'Applied; used up by this sale.',
    });
    expect(told([percent('b', 10, { limit: daily })])).toEqual({ saved: 300, left: '1 left today' });
    expect(told([percent('b', 10, { limit: { ...all, quantity: 1 } })])).toEqual({
      saved: 300,
      left: '0 of 1 left today',
    });
  });

  it('that is used up says when it begins anew, of several the last; of two that do at once the one for all members', () => {
    const used = { reason: 'limit_used_up' };
    const limit = [daily, { ...all, period: 'week' }] as const;
    expect(told([percent('b', 10, { limit })], { left: { b: 0, 'b~programme': 0 } })).toEqual({
      ...used,
      change: "the campaign's budget is used up; it begins anew next week",
    });
    expect(told([percent('b', 10, { limit })], { left: { b: 0 } })).toEqual({ ...used, change: 'tomorrow' });
    expect(told([percent('b', 10, { limit: { ...daily, period: 'lifetime' } })], { left: { b: 0 } })).toStrictEqual(
      used,
    );
    // A card and a coupon renew when the later of their periods begins, and never where one is for good.
    const spent = (...limits: object[]) =>
      [limits, limits.toReversed()].map((limit) =>
        told([percent('b', 10, { limit })], { left: { b: 0, 'b~programme': 0 } }),
      );
    const both = (words: object) => [words, words];
    const of = (period: string, more: object = {}) => ({ ...daily, period, ...more });
    expect(spent(daily, of('lifetime'))).toStrictEqual(both(used));
    expect(spent(daily, of('month'), of('week'))).toEqual(both({ ...used, change: 'next month' }));
    expect(spent(of('day', { of: 'programme' }), of('week'))).toEqual(both({ ...used, change: 'next week' }));
    expect(spent(of('day', { of: 'programme' }), of('lifetime'))).toStrictEqual(both(used));
    expect(told([percent('b', 10, { limit: daily, ...on('z') })], { left: { b: 0 } })).toEqual({
      reason: 'no_matching_line',
      change: '1 more of z',
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
    const set = { kind: 'buy_x_get_y', buy: { quantity: 1 }, get: { quantity: 2, complete: true } };
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
        ...words,
        change: 'next week',
      });
  });

  it('that leaves too few units for a bundle until the last of several begins anew', () => {
    const menu = { benefitId: 'b', kind: 'bundle_price', bundlePrice: 100, items: [{ quantity: 3 }] } as const;
    const few = (period: string, quantity = 4) => ({ quantity, period, counts: 'items' });
    const change = (...limit: object[]) =>
      [limit, limit.toReversed()].map(
        (own) => told([{ ...menu, limit: own } as never], { left: { 'b#items': 1 } }).change,
      );
    expect(change(few('day'), few('month'))).toEqual(['next month', 'next month']);
    expect(change(few('day'), few('lifetime'))).toEqual([undefined, undefined]);
    expect(change(few('month'), few('day', 2))).toEqual([undefined, undefined]);
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
      reason: 'limit_used_up',
      instead: ['c'],
    });
  });

  it('that others have spent is named by its own period, beside another one that is shared', () => {
    const once = { quantity: 1, period: 'lifetime', counts: 'baskets', limitId: 'once' } as const;
    const tab = { quantity: 200, period: 'week', counts: 'money', limitId: 'tab' } as const;
    const benefits = [
      percent('b', 10, { limit: [once, tab], ...on('b') }),
      percent('c', 20, { limit: tab, ...on('c') }),
    ];
    const lines = ['b', 'c'].map((name) => line(name, 1, 1_000));
    expect(told(benefits, {}, lines)).toEqual({ reason: 'limit_used_up', change: 'next week', instead: ['c'] });
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
