import type { Judgement } from '../mutant.ts';
import { FAST_PATH, judge } from './judge.ts';

const STEPS = 'Only the count of the steps differs, by less than a step; its sum has bounds in the tests of work.';

const NO_NAME = 'No list names what is not there.';

const IN_JSON = 'JSON has no field without a value.';

export const PRICING: readonly Judgement[] = [
  ...judge('packages/engine/src/answer/render-line.ts', IN_JSON, [
    ['line.parentLineId !== undefined', 'true'],
    ['product.productMasterId !== undefined', 'true'],
    ['product.productGroupId !== undefined', 'true'],
    ['product.ean !== undefined', 'true'],
    ['line.existingLineDiscountPercent !== undefined', 'true'],
    ['line.existingLineDiscountText !== undefined', 'true'],
    ['line.existingLineDiscountCampaignId !== undefined', 'true'],
    ['text !== undefined', 'true'],
  ]),
  ...judge('packages/engine/src/answer/render.ts', IN_JSON, [
    ['memberLabel === undefined', 'false'],
    ['receiptFooterText === undefined', 'false'],
    ['text !== undefined', 'true'],
    ['discount.percent !== undefined', 'true'],
    ['discount.text !== undefined', 'true'],
    ['discount.campaignId !== undefined', 'true'],
    ['discount.discountCode !== undefined', 'true'],
  ]),
  ...judge('packages/engine/src/answer/render.ts', 'Without a text there is none to spell.', [
    ['text === undefined', 'false'],
  ]),
  ...judge(
    'packages/engine/src/choose/judge.ts',
    'Without combinable units those of groups are never fewer than the others.',
    [['[]', '["Stryker was here"]']],
  ),
  ...judge('packages/engine/src/choose/judge.ts', 'The last number names no item: nothing is needed of it.', [
    ['bits < 2 ** quantities.length', 'bits <= 2 ** quantities.length'],
  ]),
  ...judge('packages/engine/src/lines/lines.ts', NO_NAME, [['parentLineId === undefined', 'false']]),
  ...judge('packages/engine/src/lines/lines.ts', 'What is as much as the bound is the bound.', [
    ['product < most', 'product <= most'],
  ]),
  ...judge('packages/engine/src/lines/matching.ts', NO_NAME, [
    ['value === undefined', 'false'],
    ['parentLineId === undefined', 'false'],
    ['k < ids.length', 'k <= ids.length'],
  ]),
  ...judge('packages/engine/src/lines/matching.ts', 'A selector may be listed twice.', [['bits[at] === 0', 'true']]),
  ...judge('packages/engine/src/lines/matching.ts', 'A list grows with what is written into it.', [
    ['new Array<number | undefined>(parents.length)', 'new Array()'],
  ]),
  ...judge('packages/engine/src/lines/matching.ts', FAST_PATH, [
    ['words === 1', 'false'],
    ['heads[above] !== undefined', 'false'],
    [
      'heads[above] !== undefined || path.length > parents.length',
      'heads[above] !== undefined && path.length > parents.length',
    ],
  ]),
  ...judge(
    'packages/engine/src/lines/matching.ts',
    'A circle of parents is refused long before (packages/contract/src/basket).',
    [
      ['heads[above] !== undefined || path.length > parents.length', 'false'],
      ['path.length > parents.length', 'false'],
      ['path.length > parents.length', 'path.length >= parents.length'],
    ],
  ),
  ...judge('packages/engine/src/lines/selector.ts', NO_NAME, [['line[field] !== undefined', 'true']]),
  ...judge('packages/engine/src/lines/selector.ts', 'An index without names names nothing.', [
    [
      'this.#fields.map(({ field, [sort]: ids }) => ({ field, ids })).filter(({ ids }) => ids.size > 0)',
      'this.#fields.map(({ field, [sort]: ids }) => ({ field, ids }))',
    ],
    ['ids.size > 0', 'true'],
    ['ids.size > 0', 'ids.size >= 0'],
  ]),
  ...judge('packages/engine/src/settle/gifts.ts', FAST_PATH, [
    ["pool?.counts === 'items'", 'true'],
    ['own.length === 0', 'false'],
  ]),
  ...judge('packages/engine/src/settle/gifts.ts', STEPS, [
    ['bits.length * COST.match', 'bits.length / COST.match'],
    ['COST.list + lines.length * COST.listedLine', 'COST.list - lines.length * COST.listedLine'],
  ]),
  ...judge('packages/engine/src/settle/gifts.ts', 'Only gifts name lines of their own.', [
    ["!rungUp || !isAt(offer, 'gift')", "!rungUp && !isAt(offer, 'gift')"],
  ]),
  ...judge('packages/engine/src/settle/gifts.ts', 'A larger bound proves the same choice, only more slowly.', [
    ['false', 'true'],
  ]),
  ...judge('packages/engine/src/settle/gifts.ts', 'A set may stand anywhere behind the others.', [
    ['word < words', 'word <= words'],
  ]),
  ...judge('packages/engine/src/settle/order-discounts.ts', FAST_PATH, [
    ['!touches', 'true'],
    ['known.set(key, touches);', ';'],
    ['touched.set(touches, price);', ';'],
    ['orders.length <= count', 'false'],
    ['orders.length <= count', 'orders.length < count'],
    ['netMinimum === 0', 'false'],
    ['sharing.length < 2', 'false'],
  ]),
  ...judge('packages/engine/src/settle/order-discounts.ts', 'The last number leaves no discount out.', [
    ['bits < 2 ** sharing.length', 'bits <= 2 ** sharing.length'],
  ]),
  ...judge(
    'packages/engine/src/settle/order-discounts.ts',
    'The numbers leave the same out in another order, and once all.',
    [['(bits & (1 << at)) !== 0', '(bits & 1 << at) === 0']],
  ),
  ...judge('packages/engine/src/settle/settle.ts', FAST_PATH, [
    ['mostDiscount !== Number.POSITIVE_INFINITY', 'true'],
    ["offer?.benefit.level === 'bundle'", 'true'],
    ["!parts.some(({ offer }) => offer?.benefit.level === 'bundle')", 'false'],
  ]),
  ...judge('packages/engine/src/settle/settle.ts', 'Only rules of lines take something off units together.', [
    ["rule.level === 'line'", 'true'],
  ]),
  ...judge('packages/engine/src/settle/split.ts', FAST_PATH, [['pieces.length === 1', 'false']]),
  ...judge('packages/engine/src/settle/spread.ts', 'A share of 0 stands only until a larger one comes.', [
    ['share === 1', 'true'],
  ]),
  ...judge('packages/engine/src/settle/spread.ts', 'The given units of a line have bought none.', [
    ['a.boughtUnits + b.boughtUnits', 'a.boughtUnits - b.boughtUnits'],
  ]),
  ...judge(
    'packages/engine/src/settle/spread.ts',
    'Parts that are joined have no existing discount that could give way.',
    [['a.isCleared || b.isCleared', 'a.isCleared && b.isCleared']],
  ),
  ...judge('packages/engine/src/trace/benefits.ts', 'No two benefits have one benefitId.', [
    ['a.benefitId < b.benefitId', 'a.benefitId <= b.benefitId'],
  ]),
  ...judge('packages/engine/src/trace/benefits.ts', 'A benefit that applies has a grant that opens it.', [
    ["standing.outcome === 'open'", 'true'],
  ]),
  ...judge(
    'packages/engine/src/trace/benefits.ts',
    'Of other rules the number is not there, and no limit has less than it.',
    [["rule.level === 'buyGet'", 'true']],
  ),
  ...judge('packages/engine/src/trace/conditions.ts', 'A text has no benefitId.', [
    ["typeof grant !== 'string'", 'true'],
  ]),
  ...judge('packages/engine/src/trace/conditions.ts', 'Nothing is added to what has no words.', [
    ['default: return {};', 'default:'],
  ]),
  ...judge(
    'packages/engine/src/trace/reason.ts',
    'Without a minimum the same benefits change nothing the second time either.',
    [
      ['hasLateMinimum(offer) || !isMinimumMet(offer, lines, work)', 'true'],
      ['minimumSaving > 0 || netMinimum > 0', 'true'],
      ['minimumSaving > 0', 'minimumSaving >= 0'],
      ['netMinimum > 0', 'netMinimum >= 0'],
    ],
  ),
  ...judge('packages/engine/src/trace/wording.ts', FAST_PATH, [
    ['decimals === undefined', 'true'],
    ['decimalsOf.set(currency, decimals);', ';'],
  ]),
];
