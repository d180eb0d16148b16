/** Fields that the digest does not know: an answer is given again with those that it had, and without those that came later. */

import type { BasketResponse } from '@loyalty/contract/basket-response';
import { expect, test } from 'vitest';
import { packAddedFields, withFieldsAsGiven } from '../../../src/calls/stored/added-fields.ts';
import { isHeavyReplay, readStoredContent, storedForm } from '../../../src/calls/stored/stored-answer.ts';

const NOTHING = Buffer.alloc(0);

const LINE = { lineId: '1', productId: 'p', orderDiscountAllocation: [], orderLinePrice: 5 };
const SHARE = { orderDiscountId: 'o', orderDiscountAllocationAmount: 1 };
const ANSWER = {
  ...{ calculationId: 'c', status: 'applied', memberLabel: 'Club' },
  lines: [LINE, { ...LINE, lineId: '2', orderDiscountAllocation: [SHARE, SHARE] }],
  orderDiscounts: [{ orderDiscountId: 'o', type: 'amount', amount: 2 }],
  totals: { originalTotal: 10, total: 10 },
} as unknown as BasketResponse;

const { calculationId, ...REST } = ANSWER;

/** As the same decision would be rendered and given again. */
const again = (given: object, rendered: object = ANSWER) =>
  JSON.stringify(withFieldsAsGiven(rendered as BasketResponse, packAddedFields(given as BasketResponse) ?? NOTHING));

test('an answer whose fields are all known keeps nothing beside its digest', () => {
  for (const answer of [
    ANSWER,
    { calculationId: 'c', status: 'unchanged', reason: 'member_inactive' },
    { calculationId: 'c', status: 'member_not_found' },
    { calculationId: 'c', status: 'unchanged', memberLabel: undefined },
  ] as BasketResponse[]) {
    expect(packAddedFields(answer)).toBeUndefined();
    expect(withFieldsAsGiven(answer, NOTHING)).toBe(answer);
  }
});

test.each([
  ['of the answer', { ...ANSWER, points: 7 }],
  ['in the middle', { calculationId, points: { earned: [7] }, ...REST }],
  [
    'of a line and of a share in it',
    {
      ...ANSWER,
      lines: [
        { ...LINE, points: 1 },
        {
          lineId: '2',
          a: 1,
          b: null,
          productId: 'p',
          orderDiscountAllocation: [SHARE, { x: 1, ...SHARE }],
          orderLinePrice: 5,
        },
      ],
    },
  ],
  [
    'of an order discount and of the totals',
    {
      ...ANSWER,
      orderDiscounts: [{ kind: 'k', orderDiscountId: 'o', type: 'amount', amount: 2 }],
      totals: { originalTotal: 10, total: 10, tax: 2 },
    },
  ],
])('a later field is given again where it stood: %s', (_, given) => {
  expect(again(given)).toBe(JSON.stringify(given));
});

test('a field without a value is none, and has no place', () => {
  const given = { calculationId: 'c', memberLabel: undefined, later: undefined, points: 7, status: 'applied' };
  const { memberLabel: _, ...rendered } = { calculationId: 'c', memberLabel: undefined, status: 'applied' };
  expect(again(given, rendered)).toBe('{"calculationId":"c","points":7,"status":"applied"}');
  const unlabelled = { calculationId: 'c', memberLabel: undefined, status: 'applied' };
  expect(again({ ...unlabelled, points: 7 }, unlabelled)).toBe('{"calculationId":"c","status":"applied","points":7}');
});

test('a field that the renderer has learnt since is left out', () => {
  const rendered = { ...ANSWER, points: 7, totals: { ...(ANSWER as { totals: object }).totals, tax: 2 } };
  expect(again(ANSWER, rendered)).toBe(JSON.stringify(ANSWER));
  const own = { ...ANSWER, tip: 1 };
  expect(again(own, rendered)).toBe(JSON.stringify(own));
});

test('known fields in another order are no later ones', () => {
  const given = { ...REST, calculationId } as BasketResponse;
  expect(packAddedFields(given)).toBeUndefined();
  expect(JSON.stringify(withFieldsAsGiven(given, NOTHING))).toBe(JSON.stringify(given));
});

test('a replay of a large request or a large answer is left to a thread', () => {
  const [light, heavy] = [64 * 1024, 64 * 1024 + 1].map((size) => storedForm(Buffer.of(0), Buffer.alloc(size)));
  const [small, large] = [16 * 1024, 16 * 1024 + 1].map((size) => Buffer.alloc(size));
  expect([isHeavyReplay(light!, small!), isHeavyReplay(heavy!, small!), isHeavyReplay(light!, large!)]).toEqual([
    ...[false, true, true],
  ]);
  // What cannot be replayed takes no time.
  const unknown = Buffer.from(heavy!);
  unknown[0] = 0;
  for (const stored of [unknown, heavy!.subarray(0, 5), NOTHING]) expect(isHeavyReplay(stored, large!)).toBe(false);
});

test('the decision is read only of what is one', () => {
  const form = storedForm(Buffer.of(0), Buffer.from('{}'));
  expect(readStoredContent(form)).toEqual({ status: 'member_not_found' });
  expect(readStoredContent(form.subarray(0, 6))).toBeUndefined();
  expect(readStoredContent(Buffer.concat([Buffer.of(0), form.subarray(1)]))).toBeUndefined();
});
