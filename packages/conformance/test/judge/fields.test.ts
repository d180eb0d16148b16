/** The fields of an answer: the judge's list, written by hand, against the contract's schemas, and each type at its bounds; `mutator.test.ts` spoils them. */

import { OrderDiscount, OrderDiscountAllocation, Totals } from '@loyalty/contract/basket-request';
import { AppliedResponse, BasketLineOut } from '@loyalty/contract/basket-response';
import { describe, expect, test } from 'vitest';
import { basketOf } from '../../../../test/support/baskets.ts';
import { rightAnswer } from '../../../../test/support/right-answer.ts';
import { basketAnswerFaults } from '../../src/kit/judge/fields.ts';

type Json = Record<string, unknown>;

const REQUEST = basketOf([
  {
    ...{ productMasterId: 'master', productGroupId: 'coffee', ean: '7038010000000', parentLineId: 'line-2' },
    ...{ existingPercent: 10, existingLineDiscountCampaignId: 'campaign', shares: { 'staff-1': 100 } },
  },
  {},
]);

/** An `applied` answer with every field of the interface. */
function fullAnswer(): Json {
  const answer = rightAnswer(REQUEST, 5);
  const words = { lineDiscountPercent: 5, lineDiscountText: 'Club', lineDiscountCode: 'loyalty' };
  Object.assign(answer.lines[0]!, { ...words, overrideUnitPrice: 1, addedByLoyalty: false, splitFromLineId: 'line-1' });
  const discount = { percent: 1, text: 'Staff offer', campaignId: 'campaign', discountCode: 'loyalty' };
  Object.assign(answer.orderDiscounts[0]!, discount);
  return { ...answer, memberLabel: 'Gold', receiptFooterText: 'Thank you' };
}

/** What the judge finds after one field of a body has another value; undefined leaves the field out. */
function findings(body: Json, pointer: string, value: unknown, faultsOf = basketAnswerFaults): string[] {
  const changed = structuredClone(body);
  const path = pointer.slice(1).split('/');
  let parent = changed;
  for (const name of path.slice(0, -1)) parent = parent[name] as Json;
  if (value === undefined) delete parent[path.at(-1)!];
  else parent[path.at(-1)!] = value;
  return faultsOf(changed);
}

interface Schema {
  readonly required?: readonly string[];
  readonly properties: Readonly<Record<string, unknown>>;
}

describe('every field of the contract', () => {
  const objects: [string, string, Schema][] = [
    ['the answer', '', AppliedResponse],
    ['a line', '/lines/0', BasketLineOut],
    ['an allocation', '/lines/0/orderDiscountAllocation/0', OrderDiscountAllocation],
    ['an order discount', '/orderDiscounts/0', OrderDiscount],
    ['the totals', '/totals', Totals],
  ];

  test('an answer with all of them is right, also where no other is permitted', () => {
    expect(basketAnswerFaults(fullAnswer(), true)).toEqual([]);
  });

  describe.each(objects)('of %s', (_, path, { required = [], properties }) => {
    // Without its status an answer has no form.
    const names = Object.keys(properties).filter((name) => name !== 'status');

    test.each(names)('%s', (name) => {
      const pointer = `${path}/${name}`;
      const missing = required.includes(name) ? [`${pointer}: is missing`] : [];
      expect(findings(fullAnswer(), pointer, undefined)).toEqual(missing);
      expect(findings(fullAnswer(), pointer, null)).toEqual([
        expect.stringMatching(new RegExp(`^${pointer}: expected .*, found null$`)),
      ]);
    });

    test('one that the contract does not have', () => {
      expect(findings(fullAnswer(), `${path}/colour`, 'red')).toEqual([]);
      const closed = (body: unknown) => basketAnswerFaults(body, true);
      expect(findings(fullAnswer(), `${path}/colour`, 'red', closed)).toEqual([
        `${path}/colour: is not a field of the interface`,
      ]);
    });
  });

  test('the engine may name a field that it leaves out', () => {
    expect(basketAnswerFaults({ ...fullAnswer(), memberLabel: undefined, colour: undefined }, true)).toEqual([]);
  });
});

describe('values at their bounds', () => {
  const GIFTS = '🎁'.repeat(40);
  const id = REQUEST.calculationId;

  test.each<[string, unknown]>([
    ['/lines/0/unitPrice', 0],
    ['/lines/0/unitPrice', Number.MAX_SAFE_INTEGER],
    ['/lines/0/quantity', 0.001],
    ['/lines/0/lineDiscountPercent', 0],
    ['/lines/0/lineDiscountPercent', 100],
    ['/lines/0/lineDiscountPercent', 33.33],
    ['/lines/0/lineDiscountType', 'amount'],
    ['/lines/0/lineDiscountType', 'none'],
    ['/lines/0/ean', ''],
    ['/orderDiscounts/0/type', 'percent'],
    ['/memberLabel', GIFTS],
    ['/receiptFooterText', 'x'.repeat(200)],
  ])('%s may be %j', (pointer, value) => {
    expect(findings(fullAnswer(), pointer, value)).toEqual([]);
  });

  const PERCENT = 'a percentage from 0 to 100 with at most two decimals';

  // Negative, fractional and textual ones, and those of another kind, are the mutator's.
  test.each<[string, unknown, string, string?]>([
    ['/calculationId', id.toUpperCase(), 'a lower-case UUID'],
    ['/calculationId', `x${id}`, 'a lower-case UUID'],
    ['/lines/0/unitPrice', 2 ** 53, 'whole minor units, 0 or more'],
    ['/lines/0/quantity', 0, 'a number above 0'],
    ['/lines/0/quantity', Number.POSITIVE_INFINITY, 'a number above 0', 'null'],
    ['/lines/0/lineDiscountPercent', 100.01, PERCENT],
    ['/lines/0/lineDiscountPercent', 33.333, PERCENT],
    ['/lines/0/lineDiscountType', 'replaced', 'one of none, amount, percent'],
    ['/orderDiscounts/0/type', 'none', 'one of amount, percent'],
    ['/lines/0/productId', '', 'text that is not empty'],
    ['/memberLabel', `${GIFTS}x`, 'text of at most 40 characters', `"${GIFTS}`.slice(0, 60)],
    ['/receiptFooterText', 'x'.repeat(201), 'text of at most 200 characters', `"${'x'.repeat(59)}`],
  ])('%s may not be %j', (pointer, value, expected, shown = JSON.stringify(value)) => {
    expect(findings(fullAnswer(), pointer, value)).toEqual([`${pointer}: expected ${expected}, found ${shown}`]);
  });
});

describe('statuses', () => {
  const { calculationId } = REQUEST;
  const unchanged = { calculationId, status: 'unchanged', reason: 'member_inactive', memberLabel: 'Gold' };
  const notFound = { calculationId, status: 'member_not_found' };

  test('those without lines are right', () => {
    expect(basketAnswerFaults(unchanged, true)).toEqual([]);
    expect(basketAnswerFaults(notFound, true)).toEqual([]);
  });

  test.each(['lines', 'totals', 'orderDiscounts', 'receiptFooterText'])('only `applied` has %s', (name) => {
    const more = { [name]: fullAnswer()[name] };
    expect(basketAnswerFaults({ ...unchanged, ...more })).toEqual([`/${name}: must be absent`]);
    expect(basketAnswerFaults({ ...notFound, ...more })).toEqual([`/${name}: must be absent`]);
  });

  test('only `unchanged` has a reason, and nobody knows the label of a member who was not found', () => {
    expect(findings(fullAnswer(), '/reason', 'member_inactive')).toEqual(['/reason: must be absent']);
    expect(findings(notFound, '/reason', 'member_inactive')).toEqual(['/reason: must be absent']);
    expect(findings(notFound, '/memberLabel', 'Gold')).toEqual(['/memberLabel: must be absent']);
  });
});
