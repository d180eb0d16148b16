/** `check` warns of vouchers that make a basket free together. */
import { describe, expect, it } from 'vitest';
import { warn } from './warned.ts';

describe('vouchers', () => {
  const of = (amount: number, more: object = {}) => ({ kind: 'order_amount', amount, audience: 'granted', ...more });
  const members = [{ programmeId: 'club', loyaltyId: 'anna', status: 'active', grants: ['b0', 'b1'] }];
  const warning = (sum: number, spend: number) =>
    `[1].amount: with b0 it takes ${sum} in NOK off baskets from ${spend} on, which may become free: minimumSaving keeps a voucher for a basket on which all of it counts, and a group with atMost: 1 takes one`;
  const groups = { one: { atMost: 1 } };

  it.each<[string, object[], string[], object?]>([
    ['of 100.00 each without minimums', [of(10_000), of(10_000)], [warning(20_000, 0)]],
    ['of 100.00 each from 165.00 on', [of(10_000, { minimumSpend: 16_500 }), of(10_000)], [warning(20_000, 16_500)]],
    ['from 200.00 on', [of(10_000, { minimumSpend: 20_000 }), of(10_000)], []],
    [
      'that are never spent on less',
      [of(10_000, { minimumSaving: 10_000 }), of(10_000, { minimumSaving: 10_000 })],
      [],
    ],
    ['of which one is', [of(10_000, { minimumSaving: 10_000 }), of(10_000)], [warning(20_000, 0)]],
    ['of which one stands alone', [of(10_000, { exclusive: true }), of(10_000)], []],
    ['of which one is off', [of(10_000, { enabled: false }), of(10_000)], []],
    ['of a group that gives one', [of(10_000, { group: 'one' }), of(10_000, { group: 'one' })], [], { groups }],
    ['and a percentage', [{ kind: 'order_percent', percent: 10, audience: 'granted' }, of(10_000)], []],
  ])('%s', (_, benefits, warnings, programme = {}) => {
    expect(warn(benefits, { members, programme }).filter((words) => words.includes('free'))).toEqual(warnings);
  });
});
