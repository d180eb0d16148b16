import type { Judgement } from '../mutant.ts';
import { FAST_PATH, judge } from './judge.ts';

const FORM = 'Every text that is stored has this form, and its last part has all of the rest.';

export const STORE: readonly Judgement[] = [
  ...judge('src/store/given.ts', 'Every word has this form, and no benefitId has an equals sign.', [
    ['/^(.+)=(\\d+)\\/(\\d+)$/', '/(.+)=(\\d+)\\/(\\d+)$/'],
    ['/^(.+)=(\\d+)\\/(\\d+)$/', '/^(.+)=(\\d+)\\/(\\d+)/'],
    ['[]', '["Stryker was here"]'],
  ]),
  ...judge('src/store/configuration-history.ts', FAST_PATH, [['dropped.length === 0', 'false']]),
  ...judge('src/store/configuration-history.ts', FORM, [
    ['/^(\\d+) (\\S+) (.*)$/s', '/^(\\d+) (\\S+) (.*)/s'],
    ['[]', '["Stryker was here"]'],
  ]),
  ...judge('src/store/returns.ts', FORM, [
    ['/^(\\d+) (\\d+) (.*)$/s', '/(\\d+) (\\d+) (.*)$/s'],
    ['/^(\\d+) (\\d+) (.*)$/s', '/^(\\d+) (\\d+) (.*)/s'],
    ['[]', '["Stryker was here"]'],
  ]),
  ...judge('src/store/returns.ts', 'Only the compiler needs it: a return is of a sale that was told.', [
    ['sale?.transactionId', 'sale.transactionId'],
    ['sale?.status', 'sale.status'],
  ]),
  ...judge('src/store/calculation-record.ts', 'Only a command more: nothing is stored without a member.', [
    ['entry.member === undefined', 'false'],
  ]),
  ...judge('src/store/common-limits.ts', 'No calculation has this name.', [['[]', '["Stryker was here"]']]),
  ...judge('src/store/give-back.ts', 'A benefitId has neither sign, so no slash follows the mark of a unit.', [
    ['/[#$][^/]*$/', '/[#$][^/]*/'],
  ]),
  ...judge('src/store/member-changes.ts', 'Only the cost: nobody looks at the uses that are read too.', [
    ['false', 'true'],
  ]),
  ...judge('src/store/member-changes.ts', 'Only how long the next try waits, which is random.', [
    ['Math.random() * Math.min(MAX_WAIT_MS, tries + 1)', 'Math.random() / Math.min(MAX_WAIT_MS, tries + 1)'],
    ['tries + 1', 'tries - 1'],
  ]),
  ...judge('src/store/member-changes.ts', 'Only memory: a change that has ended keeps no other one waiting.', [
    ['underWay.get(key) === own', 'false'],
    ['underWay.delete(key);', ';'],
  ]),
  ...judge(
    'src/store/sales.ts',
    'Only the compiler needs it: bytes are read only for somebody who makes lines of them.',
    [['linesOf?.(booked.sold)', 'linesOf(booked.sold)']],
  ),
  ...judge('src/store/sales.ts', 'Only the cost: nobody makes lines of the bytes that are read too.', [
    ['linesOf !== undefined', 'true'],
  ]),
  ...judge(
    'src/store/common-endings.ts',
    'Only a command more: what is given back has no mark that could be forgotten.',
    [["ending === 'consume'", 'true']],
  ),
  ...judge('src/store/calculations.ts', 'Only the compiler needs it: what was not lent was held in common.', [
    ['common?.lent', 'common.lent'],
  ]),
  ...judge('src/store/merge.ts', 'The script that gets this list looks at no argument.', [
    ['[]', '["Stryker was here"]'],
  ]),
  ...judge('src/store/give-back.ts', 'No benefitId, grantId or limitId has this sign.', [['/^@/', '/@/']]),
];
