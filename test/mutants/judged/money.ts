import type { Judgement } from '../mutant.ts';
import { FAST_PATH, judge } from './judge.ts';

const NOTHING_LEFT = 'Sharing nothing gives nothing.';

export const MONEY: readonly Judgement[] = [
  ...judge('packages/contract/src/money/allocate.ts', NOTHING_LEFT, [
    ['left > 0', 'left >= 0'],
    ['missing > 0', 'true'],
    ['missing > 0', 'missing >= 0'],
  ]),
  ...judge('packages/contract/src/money/allocate.ts', FAST_PATH, [
    ['product <= Number.MAX_SAFE_INTEGER', 'false'],
    ['product <= Number.MAX_SAFE_INTEGER', 'product < Number.MAX_SAFE_INTEGER'],
    ['remainders.length > FEW', 'true'],
    ['remainders.length > FEW', 'false'],
    ['remainders.length > FEW', 'remainders.length >= FEW'],
    ['remainders.length > FEW', 'remainders.length <= FEW'],
    ["remainders.every((own) => typeof own === 'number')", 'false'],
    ["(own) => typeof own === 'number'", '() => undefined'],
    [
      '{ const sorted = new Float64Array(remainders as readonly number[]).sort(); return sorted[sorted.length - count]!; }',
      '{}',
    ],
    ["typeof own === 'number'", 'false'],
  ]),
  ...judge('packages/contract/src/money/allocate.ts', 'What lies beyond the last remainder is no larger than any.', [
    ['at < remainders.length', 'at <= remainders.length'],
  ]),
  ...judge(
    'packages/contract/src/money/allocate.ts',
    'The sort of the engine asks only whether the result is below 0.',
    [
      ['a > b', 'a >= b'],
      ['a < b', 'false'],
      ['a < b', 'true'],
      ['a < b', 'a <= b'],
      ['a < b', 'a >= b'],
    ],
  ),
  ...judge('packages/contract/src/money/portion.ts', FAST_PATH, [
    ['part === whole', 'false'],
    ['Number.isSafeInteger(one) && Number.isSafeInteger(other)', 'false'],
  ]),
  ...judge('packages/contract/src/money/portion.ts', 'With a scale of 0 the factor is 1.', [
    ['scale >= 0', 'scale > 0'],
  ]),
  ...judge('packages/contract/src/money/quantity.ts', FAST_PATH, [
    ['Number.isInteger(quantity) && product <= Number.MAX_SAFE_INTEGER', 'false'],
    ['product <= Number.MAX_SAFE_INTEGER', 'product < Number.MAX_SAFE_INTEGER'],
    ['product <= Number.MAX_SAFE_INTEGER', 'false'],
    ['scale >= 0 && scale <= MAX_EXACT_SCALE', 'false'],
    ['scale >= 0', 'scale > 0'],
    ['scale <= MAX_EXACT_SCALE', 'scale < MAX_EXACT_SCALE'],
    [
      '{ const product = Number(digits) * unitPrice; if (product <= Number.MAX_SAFE_INTEGER) return roundHalfUp(product, POWERS_OF_TEN[scale] as number); }',
      '{}',
    ],
  ]),
  ...judge('packages/contract/src/money/quantity.ts', 'The text of a number begins with a digit.', [
    ['exponentAt < 0', 'exponentAt <= 0'],
    ['pointAt < 0', 'pointAt <= 0'],
  ]),
  ...judge('packages/contract/src/money/round.ts', FAST_PATH, [
    ['amount <= MOST_DIVIDED', 'false'],
    ['amount <= MOST_DIVIDED', 'amount < MOST_DIVIDED'],
    ['{ return Math.floor((amount * percentHundredths + WHOLE_IN_HUNDREDTHS / 2) / WHOLE_IN_HUNDREDTHS); }', '{}'],
  ]),
  ...judge('packages/contract/src/money/round.ts', 'The quotient is as exact somewhat above the bound.', [
    ['2 ** 31 - 1', '2 ** 31 + 1'],
  ]),
];
