import type { Judgement } from '../mutant.ts';
import { judge } from './judge.ts';

export const BASKET: readonly Judgement[] = [
  ...judge('src/basket/references.ts', 'Only the compiler needs it: an array has nothing at `undefined`.', [
    ['passed !== undefined', 'true'],
  ]),
];
