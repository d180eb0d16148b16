import type { Judgement } from '../mutant.ts';
import { judge } from './judge.ts';

export const CHOOSE: readonly Judgement[] = [
  ...judge('src/pricing/choose/by-numbers.ts', 'One number more is none, and changes every hash in the same way.', [
    ['at < numbers.length', 'at <= numbers.length'],
  ]),
  ...judge('src/pricing/choose/by-numbers.ts', 'In which direction a free place is sought makes no difference.', [
    ['this.#place += 1', 'this.#place -= 1'],
  ]),
  ...judge('src/pricing/choose/by-numbers.ts', 'Beyond the end of both lists there is nothing in either.', [
    ['at < one.length', 'at <= one.length'],
  ]),
  ...judge('src/pricing/choose/assignment.ts', 'Beyond its end a typed array holds nothing.', [
    ['at < weighed.length', 'at <= weighed.length'],
  ]),
  ...judge('src/pricing/choose/assignment.ts', 'None is taken at 0 or below.', [
    ['gains[at]! > 0', 'true'],
    ['gains[at]! > 0', 'gains[at]! >= 0'],
  ]),
];
