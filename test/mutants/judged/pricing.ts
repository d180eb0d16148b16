import type { Judgement } from '../mutant.ts';
import { FAST_PATH, judge } from './judge.ts';

const STEPS = 'Only the count of the steps differs, by less than a step; its sum has bounds in the tests of work.';

const IN_JSON = 'JSON has no field without a value.';

export const PRICING: readonly Judgement[] = [
  ...judge('src/pricing/answer/render-line.ts', IN_JSON, [
    ['line.parentLineId !== undefined', 'true'],
    ['product.productMasterId !== undefined', 'true'],
    ['product.productGroupId !== undefined', 'true'],
    ['product.ean !== undefined', 'true'],
    ['line.existingLineDiscountPercent !== undefined', 'true'],
    ['line.existingLineDiscountText !== undefined', 'true'],
    ['line.existingLineDiscountCampaignId !== undefined', 'true'],
    ['text !== undefined', 'true'],
  ]),
  ...judge('src/pricing/answer/render.ts', IN_JSON, [
    ['memberLabel === undefined', 'false'],
    ['receiptFooterText === undefined', 'false'],
    ['text !== undefined', 'true'],
    ['discount.percent !== undefined', 'true'],
    ['discount.text !== undefined', 'true'],
    ['discount.campaignId !== undefined', 'true'],
    ['discount.discountCode !== undefined', 'true'],
  ]),
  ...judge('src/pricing/answer/render.ts', 'Without a text there is none to spell.', [['text === undefined', 'false']]),
  ...judge('src/pricing/choose/judge.ts', 'Without combinable units those of groups are never fewer than the others.', [
    ['[]', '["Stryker was here"]'],
  ]),
  ...judge('src/pricing/choose/judge.ts', 'The last number names no item: nothing is needed of it.', [
    ['bits < 2 ** quantities.length', 'bits <= 2 ** quantities.length'],
  ]),
  ...judge('src/pricing/settle/gifts.ts', FAST_PATH, [
    ["pool?.counts === 'items'", 'true'],
    ['own.length === 0', 'false'],
  ]),
  ...judge('src/pricing/settle/gifts.ts', STEPS, [
    ['bits.length * COST.match', 'bits.length / COST.match'],
    ['COST.list + lines.length * COST.listedLine', 'COST.list - lines.length * COST.listedLine'],
  ]),
  ...judge('src/pricing/settle/gifts.ts', 'Only gifts name lines of their own.', [
    ["!rungUp || !isAt(offer, 'gift')", "!rungUp && !isAt(offer, 'gift')"],
  ]),
  ...judge('src/pricing/settle/gifts.ts', 'A larger bound proves the same choice, only more slowly.', [
    ['false', 'true'],
  ]),
  ...judge('src/pricing/settle/gifts.ts', 'A set may stand anywhere behind the others.', [
    ['word < words', 'word <= words'],
  ]),
  ...judge('src/pricing/settle/order-discounts.ts', FAST_PATH, [
    ['!touches', 'true'],
    ['known.set(key, touches);', ';'],
    ['touched.set(touches, price);', ';'],
    ['orders.length <= count', 'false'],
    ['orders.length <= count', 'orders.length < count'],
    ['netMinimum === 0', 'false'],
    ['sharing.length < 2', 'false'],
  ]),
  ...judge('src/pricing/settle/order-discounts.ts', 'The last number leaves no discount out.', [
    ['bits < 2 ** sharing.length', 'bits <= 2 ** sharing.length'],
  ]),
  ...judge('src/pricing/settle/order-discounts.ts', 'The numbers leave the same out in another order, and once all.', [
    ['(bits & (1 << at)) !== 0', '(bits & 1 << at) === 0'],
  ]),
  ...judge('src/pricing/settle/settle.ts', FAST_PATH, [
    ['mostDiscount !== Number.POSITIVE_INFINITY', 'true'],
    ["offer?.benefit.level === 'bundle'", 'true'],
    ["!parts.some(({ offer }) => offer?.benefit.level === 'bundle')", 'false'],
  ]),
  ...judge('src/pricing/settle/settle.ts', 'Only rules of lines take something off units together.', [
    ["rule.level === 'line'", 'true'],
  ]),
  ...judge('src/pricing/settle/split.ts', FAST_PATH, [['pieces.length === 1', 'false']]),
  ...judge('src/pricing/settle/spread.ts', 'A share of 0 stands only until a larger one comes.', [
    ['share === 1', 'true'],
  ]),
  ...judge('src/pricing/settle/spread.ts', 'The given units of a line have bought none.', [
    ['a.boughtUnits + b.boughtUnits', 'a.boughtUnits - b.boughtUnits'],
  ]),
  ...judge('src/pricing/settle/spread.ts', 'Parts that are joined have no existing discount that could give way.', [
    ['a.isCleared || b.isCleared', 'a.isCleared && b.isCleared'],
  ]),
];
