/** Discounts of our own that a till sends back as the staff's. */
import type { AnswerContent } from '@loyalty/engine/answer/content';
import { expect, test } from 'vitest';
import { countGivenBefore } from '../../src/calls/lookup.ts';
import { storedForm } from '../../src/calls/stored/stored-answer.ts';
import { MEMBER, sell } from './support/shop.ts';

test('discounts that the answer before has given are counted, each once', () => {
  const stored = sell().record.answer!;
  expect(countGivenBefore([10_000, 1_000, 1_000, 7], stored)).toBe(2);
  expect([countGivenBefore([7, 1_000], stored), countGivenBefore([10_000, 10_000], stored)]).toEqual([1, 1]);
  expect(countGivenBefore([10_000], sell({ ...MEMBER, status: 'paused' }).record.answer!)).toBe(0);
  expect(countGivenBefore([10_000], Buffer.of(1))).toBe(0);
});

test("a line of which only the staff's discount was taken off has none of ours", () => {
  const content: AnswerContent = {
    ...{ status: 'applied', memberLabel: undefined, receiptFooterText: undefined, discountCode: 'd' },
    ...{ benefits: [{ benefitId: 'b', text: undefined }], removedOrderDiscounts: [], orders: [], gifts: [] },
    effects: [{ benefit: 0, percentHundredths: undefined, overrideUnitPrice: undefined }],
    parts: [
      { line: 0, cut: undefined, isCleared: true, effect: undefined },
      { line: 1, cut: undefined, isCleared: false, effect: { effect: 0, units: 1, amount: 700 } },
    ],
  };
  expect(countGivenBefore([700, 700], storedForm(content, Buffer.from('{}')))).toBe(1);
});
