import type { Judgement } from '../mutant.ts';
import { FAST_PATH, judge } from './judge.ts';

const NO_NAME = 'No list names what is not there.';

const NO_GREATER = 'A date that is not there is neither before nor after another one.';

/** Of the compiled programme, and of what is open to a member. */
export const OFFERS: readonly Judgement[] = [
  ...judge('packages/engine/src/compile/amounts.ts', 'A map of amounts is not above 0.', [
    ["typeof amount === 'number'", 'true'],
  ]),
  ...judge('packages/engine/src/compile/amounts.ts', 'Only a limit of money has amounts by currency.', [
    ["limit.counts === 'money'", 'true'],
  ]),
  ...judge('packages/engine/src/compile/calendar.ts', 'What is written back in another way is no date.', [
    ['/^\\d{4}-\\d\\d-\\d\\d$/', '/\\d{4}-\\d\\d-\\d\\d$/'],
    ['/^\\d{4}-\\d\\d-\\d\\d$/', '/^\\d{4}-\\d\\d-\\d\\d/'],
  ]),
  ...judge('packages/engine/src/compile/calendar.ts', FAST_PATH, [
    ['!zone', 'true'],
    ['epochSeconds < 0', 'true'],
    ['epochSeconds < 0', 'epochSeconds <= 0'],
    ['epochSeconds / QUARTER_SECONDS', 'epochSeconds * QUARTER_SECONDS'],
    ['zones.set(timeZone, zone);', ';'],
    ['offset === undefined', 'true'],
    ['zone.offsets.set(quarter, offset);', ';'],
  ]),
  ...judge(
    'packages/engine/src/compile/calendar.ts',
    'Offsets never change, and of those that are kept there are fewer or one more.',
    [
      ['zone.offsets.size >= MAX_CACHED_OFFSETS', 'true'],
      ['zone.offsets.size >= MAX_CACHED_OFFSETS', 'zone.offsets.size > MAX_CACHED_OFFSETS'],
      ['zone.offsets.size >= MAX_CACHED_OFFSETS', 'zone.offsets.size < MAX_CACHED_OFFSETS'],
    ],
  ),
  ...judge('packages/engine/src/compile/compile.ts', 'No two benefits have one benefitId.', [
    ['a.benefitId < b.benefitId', 'a.benefitId <= b.benefitId'],
  ]),
  ...judge(
    'packages/engine/src/compile/compile.ts',
    'Without currencies the map of programmes by currency is empty too.',
    [['currencies.size === 0', 'false']],
  ),
  ...judge('packages/engine/src/compile/compile.ts', NO_NAME, [
    ['currency !== undefined', 'true'],
    ['definition.group === undefined', 'false'],
  ]),
  ...judge('packages/engine/src/compile/window.ts', 'No hours are read of a text that is not there.', [
    ['hours !== undefined', 'true'],
  ]),
  ...judge('packages/engine/src/compile/window.ts', 'Hours that begin and end at the same minute are refused.', [
    ['fromMinute < toMinute', 'fromMinute <= toMinute'],
    ['toMinute > fromMinute', 'toMinute >= fromMinute'],
  ]),
  ...judge(
    'packages/engine/src/compile/words.ts',
    'A language has two or three letters, and none is called undefined.',
    [['name !== undefined', 'true']],
  ),
  ...judge('packages/engine/src/offers/conditions.ts', 'No list of tiers has the one of a member without any.', [
    ['member.tier === undefined', 'false'],
  ]),
  ...judge('packages/engine/src/offers/conditions.ts', 'The same reason takes its own place.', [
    ['CLOSED.indexOf(reason) > CLOSED.indexOf(nearest)', 'CLOSED.indexOf(reason) >= CLOSED.indexOf(nearest)'],
  ]),
  ...judge('packages/engine/src/offers/grants.ts', FAST_PATH, [
    ['!grants.some(isCounted)', 'false'],
    ['grants.length === 0', 'false'],
  ]),
  ...judge('packages/engine/src/offers/grants.ts', NO_GREATER, [
    ['from !== undefined', 'true'],
    ['grant.to !== undefined', 'true'],
  ]),
  ...judge(
    'packages/engine/src/offers/grants.ts',
    'Of equal dates either is the same, and no two grants have one grantId.',
    [
      ['from < first', 'from <= first'],
      ['grant.to < other.to', 'grant.to <= other.to'],
      ['grant.grantId < other.grantId', 'grant.grantId <= other.grantId'],
    ],
  ),
  ...judge('packages/engine/src/offers/grants.ts', 'Only a benefit that nothing opens, and the use, are asked for.', [
    ["{ outcome: 'open', use: undefined }", '{}'],
  ]),
  ...judge('packages/engine/src/offers/grants.ts', 'A benefitId alone has no quantity.', [
    ["typeof grant !== 'string'", 'true'],
  ]),
  ...judge('packages/engine/src/offers/limits.ts', 'A benefitId alone has no quantity.', [
    ["typeof grant !== 'string'", 'true'],
  ]),
  ...judge('packages/engine/src/offers/limits.ts', NO_GREATER, [['last !== undefined', 'true']]),
  ...judge('packages/engine/src/offers/limits.ts', 'Of no limits of money there is no first one.', [
    ['money.length > 0', 'true'],
    ['money.length > 0', 'money.length >= 0'],
  ]),
  ...judge('packages/engine/src/offers/modified-line.ts', 'Nothing is taken off no unit.', [
    ['counts[n]! > 0', 'true'],
    ['counts[n]! > 0', 'counts[n]! >= 0'],
  ]),
  ...judge('packages/engine/src/offers/limits.ts', FAST_PATH, [
    ['member.grants.length > 0', 'true'],
    ['member.grants.length > 0', 'member.grants.length >= 0'],
    ['limited.length === 0 && !mayHoldCounters', 'false'],
  ]),
  ...judge('packages/engine/src/offers/offers.ts', FAST_PATH, [
    ['exclusions.length > 0 || outside !== undefined || matches.modified !== undefined', 'true'],
    ['exclusions.length > 0', 'exclusions.length >= 0'],
    ['ofLimits.length === 0 && sharedInBasket.length === 0', 'false'],
    ['{ return { pool: undefined, groups: group ? [group] : NO_GROUPS }; }', '{}'],
  ]),
  ...judge(
    'packages/engine/src/offers/offers.ts',
    'Keys are only compared, and those with and without a percentage still differ.',
    [
      ['!selector.isPercentage', 'selector.isPercentage'],
      ["typeof key === 'number'", 'true'],
      ["typeof key === 'number'", 'false'],
      ["typeof key === 'number'", "typeof key !== 'number'"],
      ['key + PERCENTAGE', 'key - PERCENTAGE'],
    ],
  ),
  ...judge('packages/engine/src/offers/pools.ts', 'What is spent is read of limits of money alone.', [
    ["pool?.counts !== 'money'", 'false'],
  ]),
];
