import type { Judgement } from '../mutant.ts';
import { judge } from './judge.ts';

export const CHOOSE: readonly Judgement[] = [
  ...judge('src/pricing/choose/assignment.ts', 'Beyond its end a typed array holds nothing.', [
    ['at < weighed.length', 'at <= weighed.length'],
  ]),
  ...judge('src/pricing/choose/assignment.ts', 'None is taken at 0 or below.', [
    ['gains[at]! > 0', 'true'],
    ['gains[at]! > 0', 'gains[at]! >= 0'],
  ]),
  ...judge(
    'src/pricing/choose/flow.ts',
    'What is left over is the last of the offers: it gains nothing, and hands nothing on.',
    [
      ['from < this.#offers', 'from <= this.#offers'],
      ['offer < this.#offers', 'offer <= this.#offers'],
      ['node <= this.#offers', 'node < this.#offers'],
      ['node > this.#offers', 'node >= this.#offers'],
    ],
  ),
  ...judge('src/pricing/choose/flow.ts', 'Beyond its end, and without a number, a typed array takes nothing.', [
    ['node < nodes', 'node <= nodes'],
    ['pool !== undefined', 'true'],
  ]),
  ...judge('src/pricing/choose/flow.ts', 'Work that has run out is out for whatever comes after it.', [
    ['false', 'true'],
    ['moved === undefined', 'false'],
  ]),
  ...judge('src/pricing/choose/flow.ts', 'A line that is none has no units.', [['[]', '["Stryker was here"]']]),
];
