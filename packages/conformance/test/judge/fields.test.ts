/** The fields of an answer at their bounds, and those that its status contradicts; `mutator.test.ts` spoils every field of the contract. */
import { describe, expect, test } from 'vitest';
import { basketOf } from '../../../../test/support/baskets.ts';
import { rightAnswer } from '../../../../test/support/right-answer.ts';
import { basketAnswerFaults } from '../../src/kit/judge/fields.ts';
import { type Json, withValue } from '../../src/kit/pointer.ts';

const REQUEST = basketOf([{ shares: { 'staff-1': 100 } }, {}]);
const { calculationId } = REQUEST;
const APPLIED = rightAnswer(REQUEST, 5) as unknown as Json;
const UNCHANGED = { calculationId, status: 'unchanged', reason: 'member_inactive', memberLabel: 'Gold' };
const NOT_FOUND = { calculationId, status: 'member_not_found' };
const GIFTS = '🎁'.repeat(40);

test('right answers, and a field that the interface does not have', () => {
  for (const body of [APPLIED, UNCHANGED, NOT_FOUND]) expect(basketAnswerFaults(body)).toEqual([]);
  for (const pointer of ['/colour', '/lines/0/colour', '/totals/colour'])
    expect(basketAnswerFaults(withValue(APPLIED, pointer, 'red'))).toEqual([]);
});

test.each<[string, unknown]>([
  ['/lines/0/unitPrice', 0],
  ['/lines/0/unitPrice', Number.MAX_SAFE_INTEGER],
  ['/lines/0/quantity', 0.001],
  ['/lines/0/lineDiscountPercent', 0],
  ['/lines/0/lineDiscountPercent', 100],
  ['/lines/0/lineDiscountPercent', 33.33],
  ['/lines/0/lineDiscountPercent', 1.15],
  ['/lines/0/ean', ''],
  // The greatest length of a name, an ID or an EAN is the service's own decision.
  ['/lines/0/name', 'x'.repeat(10_000)],
  ['/lines/0/productId', 'x'.repeat(10_000)],
  ['/lines/0/ean', 'x'.repeat(10_000)],
  ['/orderDiscounts/0/type', 'percent'],
  ['/memberLabel', GIFTS],
  ['/receiptFooterText', 'x'.repeat(200)],
])('%s may be %j', (pointer, value) => {
  expect(basketAnswerFaults(withValue(APPLIED, pointer, value))).toEqual([]);
});

// Negative, fractional and textual ones, and those of another kind, are the mutator's.
test.each<[string, unknown, string]>([
  ['/calculationId', calculationId.toUpperCase(), 'must match format "lower-case-uuid"'],
  ['/lines/0/unitPrice', 2 ** 53, 'must be <= 9007199254740991'],
  ['/lines/0/unitPrice', 0.5, 'must be integer'],
  ['/lines/0/quantity', 0, 'must be > 0'],
  ['/lines/0/lineDiscountPercent', 100.01, 'must be <= 100'],
  ['/lines/0/lineDiscountPercent', 33.333, 'must have at most two decimals'],
  ['/lines/0/lineDiscountType', 'replaced', 'must be equal to one of the allowed values none,amount,percent'],
  ['/orderDiscounts/0/type', 'none', 'must be equal to one of the allowed values amount,percent'],
  ['/lines/0/productId', '', 'must NOT have fewer than 1 characters'],
  ['/memberLabel', `${GIFTS}x`, 'must NOT have more than 40 characters'],
  ['/receiptFooterText', 'x'.repeat(201), 'must NOT have more than 200 characters'],
])('%s may not be %j', (pointer, value, finding) => {
  const shown = JSON.stringify(value).slice(0, 60);
  expect(basketAnswerFaults(withValue(APPLIED, pointer, value))).toEqual([`${pointer}: ${finding}, found ${shown}`]);
});

test('a quantity is no infinity, as which JSON text such as 1e400 is read', () => {
  const body = structuredClone(APPLIED) as { lines: Json[] };
  body.lines[0]!['quantity'] = Number.POSITIVE_INFINITY;
  expect(basketAnswerFaults(body)).toEqual(['/lines/0/quantity: must be number, found null']);
});

describe('a field that the status contradicts', () => {
  const whole: Json = { ...APPLIED, receiptFooterText: 'Thank you', reason: 'member_inactive', memberLabel: 'Gold' };

  test.each<[object, readonly string[]]>([
    [APPLIED, ['reason']],
    [UNCHANGED, ['lines', 'totals', 'orderDiscounts', 'receiptFooterText']],
    [NOT_FOUND, ['lines', 'totals', 'orderDiscounts', 'receiptFooterText', 'reason', 'memberLabel']],
  ])('%o', (body, names) => {
    for (const name of names)
      expect(basketAnswerFaults({ ...body, [name]: whole[name] })).toEqual([`/${name}: must be absent`]);
  });
});
