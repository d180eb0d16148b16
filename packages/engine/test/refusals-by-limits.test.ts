/** Why a benefit did not apply although it is open, where a limit or a grant is used up. */
import { describe, expect, it } from 'vitest';
import { buildBasket } from './support/basket.ts';
import { line } from './support/choices.ts';
import { priceFully } from './support/price.ts';
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
    const ofAll = { ...used, explanation: 'Nothing is left of its limit for all members.' };
    expect(told([percent('b', 10, { limit })], { left: { b: 0, 'b~programme': 0 } })).toEqual({
      ...ofAll,
      change: 'next week',
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

  it.each([
    ['member', {}, { b: 0 }, "Nothing is left of this member's limit."],
    ['programme', {}, { 'b~programme': 0 }, 'Nothing is left of its limit for all members.'],
    ['venue', {}, { 'b~venue': 0 }, 'Nothing is left of its limit for all members at this venue.'],
    ['programme', { counts: 'items' }, { 'b#items~programme': 0 }, 'Nothing is left of its limit for all members.'],
  ])('of the %s that is used up says whose it is', (of, more, left, explanation) => {
    const basket = buildBasket([line('a', 3, 1_000)]);
    const limits = ['lifetime', 'day'].map((period) => ({ ...daily, ...more, of, period }));
    const traced = limits.map(
      (limit) => priceFully(basket, [percent('b', 10, { limit })], { left, trace: true }).trace!.benefits[0],
    );
    const words = { ...{ benefitId: 'b', applied: false, saved: 0, reason: 'limit_used_up' }, explanation };
    expect(traced).toStrictEqual([words, { ...words, change: 'tomorrow' }]);
  });

  it('that others have spent names them', () => {
    const pot = { quantity: 1, period: 'week', counts: 'baskets', limitId: 'pot' } as const;
    const benefits = [percent('b', 10, { limit: pot, ...on('a') }), percent('c', 20, { limit: pot, ...on('c') })];
    const lines = [line('a', 1, 1_000), line('c', 1, 1_000)];
    expect(told(benefits, {}, lines)).toEqual({
      ...{ reason: 'limit_used_up', change: 'next week', instead: ['c'] },
      explanation: 'Other benefits take what is left of its limit.',
    });
    const both = percent('b', 10, { limit: [{ ...daily, counts: 'items' }, pot], ...on('a') });
    expect(told([both, benefits[1]!], {}, lines)).toMatchObject({ change: 'next week' });
  });

  it('of which something is left is not the reason', () => {
    const pot = { quantity: 2, period: 'week', counts: 'baskets', limitId: 'pot' } as const;
    const benefits = [percent('b', 10, { limit: pot }), percent('c', 20, { limit: pot })];
    expect(told(benefits)).toEqual({ reason: 'others_save_more', instead: ['c'] });
  });
});

describe('a grant', () => {
  const card = (quantity: number) => ({ grants: [{ benefitId: 'b', grantId: 'card', quantity }] });

  it('is not the reason where the limit of its benefit is used up', () => {
    const both = percent('b', 10, { audience: 'granted', limit: daily });
    expect(told([both], { member: card(1), left: { b: 0 } })).toEqual({ reason: 'limit_used_up', change: 'tomorrow' });
  });
});
