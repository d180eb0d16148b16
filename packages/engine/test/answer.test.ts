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
  ...{ benefitId: 'half', kind: 'line_percent', percent: 50 },
  appliesTo: { productIds: ['coffee'] },
};
const price: BenefitDefinition = {
  ...{ benefitId: 'price', kind: 'unit_price', unitPrice: 900 },
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

describe('a line that stays as it is', () => {
  const none = { lineDiscountType: 'none', lineDiscountAmount: 0, showLineDiscountText: false } as const;

  it('has every field that it came with, and no other', () => {
    const full: BasketLine = {
      ...buildLine({ lineId: 'cake', productId: 'cake', existingLineDiscountAmount: 100 }),
      ...{ productMasterId: 'cakes', productGroupId: 'bakery', ean: '7041011050007', parentLineId: 'a' },
      ...{
        existingLineDiscountPercent: 10,
        existingLineDiscountText: 'Yesterday',
        existingLineDiscountCampaignId: 'y',
      },
    };
    const bare = buildLine({ lineId: 'bare', productId: 'bun' });
    const { lines } = answer([half], [coffee('a'), full, bare]);
    expect(asSent(lines.slice(1))).toStrictEqual([
      { ...full, ...none },
      { ...bare, ...none },
    ]);
  });

  it('keeps an order discount of the staff of which it has no share', () => {
    const orderDiscountAllocation = [{ orderDiscountId: 'staff', orderDiscountAllocationAmount: 0 }];
    const b = buildLine({ lineId: 'b', orderDiscountAllocation });
    const { lines } = answer([half], [coffee('a'), b], [{ orderDiscountId: 'staff', type: 'amount', amount: 0 }]);
    expect(lines[1]).toMatchObject({ orderDiscountAllocation });
  });
});

describe('a line that gets cheaper', () => {
  const discount = { lineDiscountAmount: 500, lineDiscountCode: 'loyalty', orderLinePrice: 500 } as const;

  it('has a text where the benefit has one, and a price of its own instead of a discount', () => {
    const lines = [coffee('a'), tea('b')];
    const named = answer([{ ...half, text: 'Half a coffee' }, price], lines).lines;
    const percent = { lineDiscountType: 'percent', lineDiscountPercent: 50 } as const;
    expect(asSent(named)).toStrictEqual([
      { ...lines[0], ...percent, ...discount, lineDiscountText: 'Half a coffee', showLineDiscountText: true },
      {
        ...{ ...lines[1], lineDiscountType: 'none', lineDiscountAmount: 0, showLineDiscountText: false },
        ...{ overrideUnitPrice: 900, orderLinePrice: 900 },
      },
    ]);
    const noted = answer([{ ...price, text: 'Member price' }], lines).lines[1]!;
    expect(asSent(noted)).toStrictEqual({
      ...{ ...lines[1], lineDiscountType: 'none', lineDiscountAmount: 0, lineDiscountText: 'Member price' },
      ...{ showLineDiscountText: true, overrideUnitPrice: 900, orderLinePrice: 900 },
    });
    const [unnamed] = answer([half], lines).lines;
    expect(asSent(unnamed)).toStrictEqual({ ...lines[0], ...percent, ...discount, showLineDiscountText: false });
  });
});

describe('a line that is parted', () => {
  it('shares out the order discounts of the staff, and a part without a share names none', () => {
    const share = (orderDiscountId: string, amount: number) => ({
      ...{ orderDiscountId, orderDiscountAllocationAmount: amount },
    });
    const orderDiscountAllocation = [share('one', 1), share('three', 3)];
    const staff = orderDiscountAllocation.map(({ orderDiscountId, orderDiscountAllocationAmount: amount }) => ({
      ...{ orderDiscountId, type: 'amount', amount },
    }));
    const sold = coffee('a', { quantity: 2, orderDiscountAllocation });
    const { lines } = answer([{ ...half, maximumUnits: 1 }], [sold], staff as OrderDiscount[]);
    expect(lines.map((part) => part.orderDiscountAllocation)).toEqual([
      [share('one', 1), share('three', 2)],
      [share('three', 1)],
    ]);
  });
});

describe('the order discounts of an answer', () => {
  const gold: BenefitDefinition = { benefitId: 'gold', kind: 'order_percent', percent: 10 };
  const given = { type: 'percent', percent: 10, discountCode: 'loyalty' } as const;

  it('are those of the staff with every field that they came with, and ours with a text where they have one', () => {
    const full: OrderDiscount = {
      ...{ orderDiscountId: 'full', type: 'percent', amount: 0, percent: 1, text: 'Sorry' },
      ...{ campaignId: 'sorry', discountCode: 'staff' },
    };
    const bare: OrderDiscount = { orderDiscountId: 'bare', type: 'amount', amount: 0 };
    const amount: BenefitDefinition = { benefitId: 'ten', kind: 'order_amount', amount: 10, text: 'Ten' };
    expect(answer([gold, amount], [coffee('a')], [full, bare]).orderDiscounts).toStrictEqual([
      full,
      bare,
      { orderDiscountId: 'loyalty-gold', amount: 100, ...given },
      { orderDiscountId: 'loyalty-ten', type: 'amount', amount: 10, text: 'Ten', discountCode: 'loyalty' },
    ]);
  });

  it('have an ID of their own where the staff took it', () => {
    const taken: OrderDiscount = { orderDiscountId: 'loyalty-gold', type: 'amount', amount: 0 };
    const [, own] = answer([gold], [coffee('a')], [taken]).orderDiscounts;
    expect(own).toStrictEqual({ orderDiscountId: 'loyalty-gold~', amount: 100, ...given });
  });
});

describe('an answer', () => {
  const basket = buildBasket([coffee('a')]);

  it('says of a member who is not known nothing else', () => {
    const { calculationId } = basket;
    expect(renderAnswer(basket, { status: 'member_not_found' })).toStrictEqual({
      calculationId,
      status: 'member_not_found',
    });
  });

  it('has a label and a footer where there are any', () => {
    expect(priceFully(basket, [])).toStrictEqual({ status: 'unchanged', reason: 'no_applicable_benefits' });
    expect(Object.keys(answer([half], [coffee('a')]))).toEqual([
      ...['status', 'lines', 'orderDiscounts', 'totals', 'uses'],
    ]);
    const labelled = priceFully(basket, [half], { policies: { memberLabel: 'Gold' } });
    expect(labelled).toMatchObject({ memberLabel: 'Gold' });
  });

  it('is never made of a decision on another basket', () => {
    const content = contentOf([half], [coffee('a'), coffee('b')]) as AppliedContent;
    expect(() => renderAnswer(basket, content)).toThrow('every part is of a line of the request');
  });
});

describe('the footer of a receipt', () => {
  const off = (benefitId: string, text?: string): BenefitDefinition => ({
    ...{ benefitId, kind: 'order_amount', amount: 10 },
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

describe('what is kept of a decision', () => {
  it('is every benefit once, every way in which one shows once, and the lines that change', () => {
    const dear = coffee('d', { quantity: 2 });
    const capped: BenefitDefinition = { ...half, maximumDiscount: 1_600 };
    const lines = [coffee('a'), tea('t'), coffee('b'), buildLine({ lineId: 'n' }), dear, tea('u')];
    expect(contentOf([capped, price], lines)).toMatchObject({
      benefits: [{ benefitId: 'half' }, { benefitId: 'price' }],
      effects: [
        { benefit: 0, percentHundredths: undefined },
        { benefit: 1, overrideUnitPrice: 900 },
      ],
      parts: [
        { line: 0, effect: { effect: 0, units: 1, amount: 400 } },
        { line: 1, effect: { effect: 1, units: 1, amount: 100 } },
        { line: 2, effect: { effect: 0, units: 1, amount: 400 } },
        { line: 4, effect: { effect: 0, units: 2, amount: 800 } },
        { line: 5, effect: { effect: 1, units: 1, amount: 100 } },
      ],
    });
  });

  it('names the benefit of each amount', () => {
    const off = (benefitId: string, productId: string): BenefitDefinition => ({
      ...{ benefitId, kind: 'line_amount', amount: 10, per: 'unit', appliesTo: { productIds: [productId] } },
    });
    expect(contentOf([off('a', 'coffee'), off('b', 'tea')], [coffee('a'), tea('b')])).toMatchObject({
      ...{ benefits: [{ benefitId: 'a' }, { benefitId: 'b' }], effects: [{ benefit: 0 }, { benefit: 1 }] },
      parts: [{ effect: { effect: 0 } }, { effect: { effect: 1 } }],
    });
  });

  it('is how many units a set has given, also where they share it with those that were bought', () => {
    const pair: BenefitDefinition = {
      ...{ benefitId: 'pair', kind: 'buy_x_get_y', spread: true },
      ...{ buy: { quantity: 2 }, get: { quantity: 1 } },
    };
    expect(contentOf([pair], [coffee('a', { quantity: 3 })])).toMatchObject({ parts: [{ effect: { units: 1 } }] });
  });
});
