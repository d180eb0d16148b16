import type { Judgement } from '../mutant.ts';
import { judge } from './judge.ts';

export const BASKET: readonly Judgement[] = [
  ...judge('src/basket/references.ts', 'Only the compiler needs it: an array has nothing at `undefined`.', [
    ['passed !== undefined', 'true'],
  ]),
  ...judge('src/basket/flawless-request.ts', 'Only the compiler needs it: nothing else is a percentage or an ID.', [
    ["typeof value === 'number'", 'true'],
    ["typeof value === 'string'", 'true'],
  ]),
  ...judge('src/basket/flawless-request.ts', 'There is no fourth character, and NaN is outside of no range.', [
    ['at < 3', 'at <= 3'],
  ]),
  ...judge('src/basket/schema.ts', 'An answer meets the schema of its own status, which is the only constant.', [
    ["case 'const': return String(allowed);", "case 'const':"],
  ]),
  ...judge(
    'src/basket/schema.ts',
    'Only lines have a largest number, and more of them are refused before, with a code of their own.',
    [["keyword === 'minItems'", 'true']],
  ),
];
