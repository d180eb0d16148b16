/** Answers as they are made: what is noted of them, and what becomes of one that fails its own check. */

import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readBasketRequest } from '@loyalty/contract/basket/basket-request';
import type { BasketRequest } from '@loyalty/contract/basket-request';
import type { BenefitDefinition } from '@loyalty/engine/definition';
import { afterAll, expect, test } from 'vitest';
import { buildBasket, buildLine } from '../../packages/engine/test/support/basket.ts';
import { buildMember, buildVenue } from '../../packages/engine/test/support/programme.ts';
import { priceAnswer } from '../../src/calls/answer.ts';
import { reportFault } from '../../src/calls/repair.ts';
import { replayAnswer, storedForm } from '../../src/calls/stored/stored-answer.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';

const folder = temporaryDirectory();
afterAll(cleanUp);

const TEN: BenefitDefinition = { benefitId: 'ten', kind: 'line_percent', percent: 10 };
const ONCE: BenefitDefinition = {
  ...{ benefitId: 'once', kind: 'line_amount', amount: 300, per: 'line' },
  limit: { quantity: 1, period: 'lifetime', counts: 'baskets' },
};
const plain = buildBasket([buildLine({ lineId: '1', quantity: 2 }), buildLine({ lineId: '2', unitPrice: 0 })]);
const inputOf = (basket: BasketRequest, benefits: BenefitDefinition[], status: 'active' | 'paused' = 'active') => ({
  ...{ basket, member: buildMember({ status }), venue: buildVenue(benefits) },
  available: new Map([['once:*', 1]]),
});

test('an answer says what it costs, what it gives and what it takes of limits', () => {
  const once = priceAnswer(inputOf(plain, [ONCE]));
  const { rendered, trace } = once;
  expect(rendered).toMatchObject({
    ...{ status: 'applied', reason: undefined, total: 1700, gap: 0, ownDiscounts: 0 },
    uses: [{ usageKey: 'once:*', units: 1, limit: 1 }],
    given: [{ benefitId: 'once', saved: 300 }],
  });
  expect([rendered.fault, trace]).toEqual([undefined, undefined]);
  expect(priceAnswer({ ...inputOf(plain, [TEN]), trace: true }).trace?.gap).toBe(0);
  const unchanged = priceAnswer(inputOf(plain, [TEN], 'paused'));
  expect(unchanged.rendered).toMatchObject({
    status: 'unchanged',
    reason: 'member_inactive',
    total: 2000,
    uses: [],
    given: [],
  });
  const request = Buffer.from(JSON.stringify(plain));
  for (const { content, rendered: given } of [once, unchanged]) {
    expect(replayAnswer(storedForm(content, given.body), request)).toEqual({ answer: given.body });
  }
});

test('an empty parent is none, and comes back as it was sent', () => {
  const [coffee, milk] = [
    buildLine({ lineId: '1', parentLineId: '' }),
    buildLine({ lineId: '2', productId: 'milk', parentLineId: '', unitPrice: 500 }),
  ];
  const basket = buildBasket([coffee!, milk!]);
  const benefit: BenefitDefinition = { ...TEN, appliesTo: { productIds: ['p1'] } };
  const venue = buildVenue([benefit], { modifiers: 'together' });
  const { content, rendered } = priceAnswer({ ...inputOf(basket, []), venue });
  // Lines below one line are counted with it, and these two are below none.
  expect(JSON.parse(Buffer.from(rendered.body).toString())).toMatchObject({
    lines: [
      { parentLineId: '', lineDiscountAmount: 100 },
      { parentLineId: '', lineDiscountAmount: 0 },
    ],
  });
  const request = Buffer.from(JSON.stringify(basket));
  expect(readBasketRequest(request, basket.calculationId)).toMatchObject({ ok: true, mismatch: undefined });
  expect(replayAnswer(storedForm(content, rendered.body), request)).toEqual({ answer: rendered.body });
});

test('an order discount of ours that comes back is counted', () => {
  const [orderDiscountId, amount] = ['loyalty-order', 200];
  const line = buildLine({
    lineId: '1',
    orderDiscountAllocation: [{ orderDiscountId, orderDiscountAllocationAmount: amount }],
  });
  const basket = buildBasket([line], {
    orderDiscounts: [{ orderDiscountId, type: 'amount', amount, discountCode: 'loyalty' }],
  });
  const order: BenefitDefinition = { benefitId: 'order', kind: 'order_amount', amount };
  expect(priceAnswer(inputOf(basket, [order])).rendered).toMatchObject({ ownDiscounts: 1, total: 800 });
});

/** A basket whose amounts do not add up, as no call prices one: its answer cannot add up either. */
const wrong = buildBasket([
  { ...buildLine({ lineId: '1', quantity: 2 }), originalLinePrice: 2_010, orderLinePrice: 2_010 },
]);

/** What the log says of it. */
const faultOf = (repairDir: string) =>
  reportFault(priceAnswer(inputOf(wrong, [TEN])).rendered.fault!, wrong, repairDir);

test('an answer that does not add up is never sent, and its basket is kept without the loyalty ID', () => {
  const repairDir = join(folder, 'repair', 'inner');
  for (let sample = 0; sample < 3; sample += 1) {
    const fault = faultOf(repairDir);
    const file = join(repairDir, `${wrong.calculationId}.json`);
    expect(fault).toMatch(
      /^An answer failed its own check at \/\S+: expected -?\d+, received -?\d+\. The basket is kept in /,
    );
    expect(fault).toContain(`The basket is kept in ${file}.`);
    const { loyaltyId: _left, ...rest } = wrong;
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ fault: fault.split(' The basket')[0], basket: rest });
    expect([statSync(file).mode & 0o777, statSync(repairDir).mode & 0o777]).toEqual([0o600, 0o700]);
  }
});

test('an unchanged answer has no amounts that could be wrong', () => {
  expect(priceAnswer(inputOf(wrong, [TEN], 'paused')).rendered.fault).toBeUndefined();
});

test('the folder of such baskets is bounded, and one that cannot be written to is no error of the call', () => {
  const full = join(folder, 'full');
  mkdirSync(full);
  for (let at = 0; at < 199; at += 1) writeFileSync(join(full, `${at}.json`), '');
  expect(faultOf(full)).toContain('The basket is kept in');
  expect(faultOf(full)).toContain(`The basket was not kept: ${full} is full.`);
  expect(readdirSync(full).length).toBe(200);
  const file = join(full, '0.json');
  expect(faultOf(file)).toContain('The basket was not kept: EEXIST');
  expect(existsSync(join(file, 'x'))).toBe(false);
});
