import type { Judgement } from '../mutant.ts';
import { judge } from './judge.ts';

export const STORE: readonly Judgement[] = [
  ...judge('src/store/given.ts', 'Every word has this form, and no benefitId has an equals sign.', [
    ['/^(.+)=(\\d+)\\/(\\d+)$/', '/(.+)=(\\d+)\\/(\\d+)$/'],
    ['/^(.+)=(\\d+)\\/(\\d+)$/', '/^(.+)=(\\d+)\\/(\\d+)/'],
    ['[]', '["Stryker was here"]'],
  ]),
  ...judge('src/store/give-back.ts', 'A benefitId has neither sign, so no slash follows the mark of a unit.', [
    ['/[#$][^/]*$/', '/[#$][^/]*/'],
  ]),
  ...judge('src/store/give-back.ts', 'No benefitId, grantId or limitId has this sign.', [['/^@/', '/@/']]),
];
