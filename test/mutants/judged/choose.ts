import type { Judgement } from '../mutant.ts';
import { judge } from './judge.ts';

export const CHOOSE: readonly Judgement[] = [
  ...judge(
    'packages/engine/src/choose/by-numbers.ts',
    'One number more is none, and changes every hash in the same way.',
    [['at < numbers.length', 'at <= numbers.length']],
  ),
  ...judge(
    'packages/engine/src/choose/by-numbers.ts',
    'In which direction a free place is sought makes no difference.',
    [['this.#place += 1', 'this.#place -= 1']],
  ),
  ...judge('packages/engine/src/choose/by-numbers.ts', 'Beyond the end of both lists there is nothing in either.', [
    ['at < one.length', 'at <= one.length'],
  ]),
  ...judge('packages/engine/src/choose/labels.ts', 'The number of the value, and of the label before, is 0.', [
    ['label * this.#width + VALUE', 'label * this.#width - VALUE'],
    ['at + VALUE', 'at - VALUE'],
    ['b + VALUE', 'b - VALUE'],
    ['a + VALUE', 'a - VALUE'],
    ['label * LINKS + BEFORE', 'label * LINKS - BEFORE'],
    ['own * LINKS + BEFORE', 'own * LINKS - BEFORE'],
  ]),
  ...judge(
    'packages/engine/src/choose/labels.ts',
    'How much there is room for at first shows in nothing: the room grows.',
    [
      ['FIRST_CAPACITY * LINKS', 'FIRST_CAPACITY / LINKS'],
      ['new Array<number>(lines.length)', 'new Array()'],
    ],
  ),
  ...judge(
    'packages/engine/src/choose/labels.ts',
    'A typed array takes nothing beyond its end, and an empty place stays empty.',
    [
      ['number < this.#width', 'number <= this.#width'],
      ['this.#table.filter((own) => own !== 0)', 'this.#table'],
      ['own !== 0', 'true'],
    ],
  ),
  ...judge('packages/engine/src/choose/assignment.ts', 'Beyond its end a typed array holds nothing.', [
    ['at < weighed.length', 'at <= weighed.length'],
  ]),
  ...judge('packages/engine/src/choose/assignment.ts', 'None is taken at 0 or below.', [
    ['gains[at]! > 0', 'true'],
    ['gains[at]! > 0', 'gains[at]! >= 0'],
  ]),
  ...judge(
    'packages/engine/src/choose/flow.ts',
    'What is left over is the last of the offers: it gains nothing, and hands nothing on.',
    [
      ['from < this.#offers', 'from <= this.#offers'],
      ['offer < this.#offers', 'offer <= this.#offers'],
      ['node <= this.#offers', 'node < this.#offers'],
      ['node > this.#offers', 'node >= this.#offers'],
    ],
  ),
  ...judge('packages/engine/src/choose/flow.ts', 'Beyond its end, and without a number, a typed array takes nothing.', [
    ['node < nodes', 'node <= nodes'],
    ['pool !== undefined', 'true'],
  ]),
  ...judge('packages/engine/src/choose/flow.ts', 'Work that has run out is out for whatever comes after it.', [
    ['false', 'true'],
    ['moved === undefined', 'false'],
  ]),
  ...judge('packages/engine/src/choose/flow.ts', 'A line that is none has no units.', [['[]', '["Stryker was here"]']]),
];
