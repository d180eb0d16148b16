import type { Judgement } from '../mutant.ts';
import { judge } from './judge.ts';

export const BASKET: readonly Judgement[] = [
  ...judge('src/basket/parents.ts', 'Only the compiler needs it: an array has nothing at `undefined`.', [
    ['passed !== undefined', 'true'],
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
