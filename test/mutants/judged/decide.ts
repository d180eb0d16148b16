import type { Judgement } from '../mutant.ts';
import { judge } from './judge.ts';

const ASSERTION = 'What it denies never holds; the assertion speaks to whoever changes the search.';

export const DECIDE: readonly Judgement[] = [
  ...judge('src/pricing/decide/decide.ts', ASSERTION, [
    ['!best', 'false'],
    ["throw new Error('assertion failed: to keep what the staff gave is always possible');", ';'],
  ]),
  ...judge('src/pricing/decide/decide.ts', 'The list of those left out is set where all choices have been made.', [
    ['[]', '["Stryker was here"]'],
  ]),
  ...judge(
    'src/pricing/decide/standing.ts',
    'Where all that the staff gave is kept no benefit is asked, on the order neither.',
    [['false', 'true']],
  ),
  ...judge('src/pricing/decide/waste.ts', 'Without a limited use there is none to give back.', [
    ['outcome.uses.length === 0', 'false'],
  ]),
];
