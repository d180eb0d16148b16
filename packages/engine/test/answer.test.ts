/** What the lines and the texts of an answer hold, and what of a decision is kept to make the same answer again. */

import type { BasketLine, OrderDiscount } from '@loyalty/contract/basket-request';
import { MAX_FOOTER_CHARACTERS } from '@loyalty/contract/limits';
import { describe, expect, it } from 'vitest';
import type { AppliedContent } from '../src/answer/content.ts';
import { renderAnswer } from '../src/answer/render.ts';
import type { BenefitDefinition } from '../src/definition.ts';
import { decideBasket } from '../src/price.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { expectApplied, priceFully } from './support/price.ts';
import { buildMember, buildVenue } from './support/programme.ts';

const half: BenefitDefinition = {
  benefitId: 'half',
  kind: 'line_percent',
  percent: 50,
  appliesTo: { productIds: ['coffee'] },
};
const price: BenefitDefinition = {
  benefitId: 'price',
  kind: 'unit_price',
  unitPrice: 900,
  appliesTo: { productIds: ['tea'] },
};
const coffee = (lineId: string, more: Partial<BasketLine> = {}) => buildLine({ lineId, productId: 'coffee', ...more });
const tea = (lineId: string) => buildLine({ lineId, productId: 'tea' });

function answer(benefits: BenefitDefinition[], lines: BasketLine[], orderDiscounts: OrderDiscount[] = []) {
  const basket = buildBasket(lines, { orderDiscounts });
  return expectApplied(basket, priceFully(basket, benefits));
}

/** JSON leaves out the fields that are undefined. */
const asSent = (value: unknown) => JSON.parse(JSON.stringify(value));

function contentOf(benefits: BenefitDefinition[], lines: BasketLine[]) {
  const input = { venue: buildVenue(benefits), member: buildMember(), available: new Map() };
  return decideBasket({ ...input, basket: buildBasket(lines) }).content;
}

describe('a line that gets cheaper', () => {
  const discount = { lineDiscountAmount: 500, lineDiscountCode: 'loyalty', orderLinePrice: 500 } as const;

  it('has a text where the benefit has one, and a price of its own instead of a discount', () => {
    const lines = [coffee('a'), tea('b')];
    const named = answer([{ ...half, text: 'Half a coffee' }, price], lines).lines;
    const percent = { lineDiscountType: 'percent', lineDiscountPercent: 50 } as const;
    expect(asSent(named)).toStrictEqual([
      { ...lines[0], ...percent, ...discount, lineDiscountText: 'Half a coffee', showLineDiscountText: true },
      {
        ...lines[1],
        lineDiscountType: 'none',
        lineDiscountAmount: 0,
        showLineDiscountText: false,
        overrideUnitPrice: 900,
        orderLinePrice: 900,
      },
    ]);
    const noted = answer([{ ...price, text: 'Member price' }], lines).lines[1]!;
    expect(asSent(noted)).toStrictEqual({
      ...lines[1],
      lineDiscountType: 'none',
      lineDiscountAmount: 0,
      lineDiscountText: 'Member price',
      showLineDiscountText: true,
      overrideUnitPrice: 900,
      orderLinePrice: 900,
    });
    const [unnamed] = answer([half], lines).lines;
    expect(asSent(unnamed)).toStrictEqual({ ...lines[0], ...percent, ...discount, showLineDiscountText: false });
  });
});

describe('the order discounts of an answer', () => {
  const gold: BenefitDefinition = { benefitId: 'gold', kind: 'order_percent', percent: 10 };
  const given = { type: 'percent', percent: 10, discountCode: 'loyalty' } as const;

  it('have an ID of their own where the staff took it', () => {
    const taken: OrderDiscount = { orderDiscountId: 'loyalty-gold', type: 'amount', amount: 0 };
    const [, own] = answer([gold], [coffee('a')], [taken]).orderDiscounts;
    expect(own).toStrictEqual({ orderDiscountId: 'loyalty-gold~', amount: 100, ...given });
  });
});

describe('an answer', () => {
  const basket = buildBasket([coffee('a')]);

  it('has no field of the request that the interface does not name', () => {
    const { lines } = answer([half], [{ ...coffee('a'), colour: 'red' } as BasketLine]);
    expect(lines[0]).not.toHaveProperty('colour');
  });

  it('is never made of a decision on another basket', () => {
    const content = contentOf([half], [coffee('a'), coffee('b')]) as AppliedContent;
    expect(() => renderAnswer(basket, content)).toThrow('every part is of a line of the request');
  });
});

describe('the footer of a receipt', () => {
  const off = (benefitId: string, text?: string): BenefitDefinition => ({
    benefitId,
    kind: 'order_amount',
    amount: 10,
    ...(text !== undefined && { text }),
  });

  it('names the order discounts that have a text', () => {
    const footerOf = (...benefits: BenefitDefinition[]) => answer(benefits, [tea('a')]).receiptFooterText;
    expect(footerOf(off('a', 'Gold'), off('b'), off('c', 'Summer'))).toBe('Gold · Summer');
    expect(footerOf(off('a'), off('b', 'Gold'))).toBe('Gold');
    expect(footerOf(off('a'))).toBeUndefined();
    expect(answer([half], [coffee('a')])).not.toHaveProperty('receiptFooterText');
  });

  it('ends where a receipt has no more room', () => {
    const long = ['a', 'b', 'c', 'd', 'e'].map((name) => off(name, name.repeat(40)));
    expect(answer(long, [tea('a')]).receiptFooterText).toHaveLength(MAX_FOOTER_CHARACTERS);
  });
});
