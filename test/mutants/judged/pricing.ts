import type { Judgement } from '../mutant.ts';
import { FAST_PATH, judge } from './judge.ts';

const STEPS = 'Only the count of the steps differs, by less than a step; its sum has bounds in the tests of work.';

export const PRICING: readonly Judgement[] = [
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
    ['lines.length * COST.listedLine', 'lines.length / COST.listedLine'],
  ]),
  ...judge('src/pricing/settle/order-discounts.ts', STEPS, [
    ['lines.length * COST.listedLine', 'lines.length / COST.listedLine'],
  ]),
  ...judge('src/pricing/settle/settle.ts', FAST_PATH, [
    ['mostDiscount !== Number.POSITIVE_INFINITY', 'true'],
    ["!parts.some(({ offer }) => offer?.benefit.level === 'bundle')", 'false'],
    ["offer?.benefit.level === 'bundle'", 'true'],
  ]),
  ...judge('src/pricing/settle/split.ts', FAST_PATH, [['pieces.length === 1', 'false']]),
];
