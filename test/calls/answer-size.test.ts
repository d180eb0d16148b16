/** An answer that could not be replayed is never given. */

import type { AppliedResponse } from '@loyalty/contract/basket-response';
import { MAX_ANSWER_BYTES, MAX_NAME_CHARACTERS } from '@loyalty/contract/limits';
import type { BenefitDefinition } from '@loyalty/engine/definition';
import { expect, test } from 'vitest';
import { buildBasket, buildLine } from '../../packages/engine/test/support/basket.ts';
import { buildMember, buildVenue } from '../../packages/engine/test/support/programme.ts';
import { priceAnswer } from '../../src/calls/answer.ts';
import { storedForm } from '../../src/calls/stored/stored-answer.ts';

/** Each takes one unit, so that a line of several units is cut. */
const LIMITED = Array.from({ length: 4 }, (_, at): BenefitDefinition => {
  const limit = { quantity: 1, period: 'lifetime', counts: 'items' } as const;
  return { benefitId: `offer-${at}`, kind: 'line_percent', percent: 30 + at, limit };
});
const UNLIMITED: BenefitDefinition = { benefitId: 'always', kind: 'line_percent', percent: 10 };

const basket = buildBasket([buildLine({ lineId: '1', quantity: 6, name: 'x'.repeat(MAX_NAME_CHARACTERS) })]);
const available = new Map(LIMITED.map(({ benefitId }) => [`${benefitId}#items:*`, 1]));
const price = (maximumBytes?: number) => {
  const venue = buildVenue([UNLIMITED, ...LIMITED]);
  return priceAnswer({ basket, member: buildMember(), venue, available }, maximumBytes).rendered;
};
const linesOf = ({ body }: { readonly body: Uint8Array }) =>
  (JSON.parse(Buffer.from(body).toString()) as AppliedResponse).lines;

test('an answer whose cut lines are too large is priced again without the limited benefits', () => {
  const whole = price();
  expect(linesOf(whole).length).toBe(LIMITED.length + 1);
  const maximumBytes = whole.body.length - 1;
  const smaller = price(maximumBytes);
  expect(smaller.fault).toBeUndefined();
  expect(smaller.body.length).toBeLessThanOrEqual(maximumBytes);
  expect(linesOf(smaller).map(({ lineDiscountPercent }) => lineDiscountPercent)).toEqual([10]);
  expect(smaller.uses).toEqual([]);
});

test('an answer of just the permitted size is given as it is', () => {
  const whole = price();
  const permitted = price(whole.body.length);
  expect(permitted.fault).toBeUndefined();
  expect(permitted.body).toEqual(whole.body);
  expect(permitted.uses).toHaveLength(LIMITED.length);
});

test('one that is too large even then fails its own check', () => {
  expect(price(100).fault).toMatchObject({ field: '/lines', expected: 'at most 100 bytes' });
});

test('an answer of the greatest size is stored; a larger one is not', () => {
  const content = { status: 'member_not_found' } as const;
  expect(storedForm(content, Buffer.alloc(MAX_ANSWER_BYTES, 'x')).length).toBeGreaterThan(1);
  expect(() => storedForm(content, Buffer.alloc(MAX_ANSWER_BYTES + 1, 'x'))).toThrow('assertion failed');
});
