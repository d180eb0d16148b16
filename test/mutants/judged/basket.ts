import type { Judgement } from '../mutant.ts';
import { judge } from './judge.ts';

export const BASKET: readonly Judgement[] = [
  ...judge(
    'packages/contract/src/basket/parents.ts',
    'Only the compiler needs it: an array has nothing at `undefined`.',
    [['passed !== undefined', 'true']],
  ),
  ...judge(
    'packages/contract/src/basket/schema.ts',
    'An answer meets the schema of its own status, which is the only constant.',
    [["case 'const': return String(allowed);", "case 'const':"]],
  ),
  ...judge(
    'packages/contract/src/basket/schema.ts',
    'Only lines have a largest number, and more of them are refused before, with a code of their own.',
    [["keyword === 'minItems'", 'true']],
  ),
];
