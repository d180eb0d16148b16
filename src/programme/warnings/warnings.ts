import { below } from '../configuration-error.ts';
import type { EnvironmentFile } from '../schema.ts';
import {
  type Around,
  type BenefitAdvice,
  type KnownMember,
  type ProgrammeAdvice,
  programmesOf,
  type Said,
} from './advice.ts';
import * as amounts from './amounts.ts';
import * as choices from './choices.ts';
import { excessiveBenefit } from './excessive.ts';
import * as goods from './goods.ts';
import * as grants from './grants.ts';
import { judgeByBaskets } from './large-gaps.ts';
import * as limits from './limits.ts';
import { labelFlaws, textFlaws } from './texts.ts';
import { twoPrices } from './two-prices.ts';
import * as windows from './windows.ts';

/** Something in a configuration without faults that is probably not meant. */
export interface Warning {
  readonly path: string;
  readonly text: string;
}

/** A new piece of advice is one more name. Each looks at one benefit that is switched on. */
const OF_A_BENEFIT: readonly BenefitAdvice[] = [
  windows.closedBenefit,
  windows.oddWindows,
  windows.unknownTiers,
  amounts.missingCurrencies,
  amounts.majorUnits,
  amounts.tinyPercent,
  excessiveBenefit,
  limits.limitAdvice,
  limits.tooFewUnits,
  limits.caps,
  limits.idlePick,
  goods.idlePrices,
  goods.openSelectors,
  goods.unknownGoods,
  goods.unsaleableGoods,
  grants.holders,
  grants.voucherSum,
  choices.mistypedFunder,
  choices.idlePriority,
  textFlaws,
];

const OF_A_PROGRAMME: readonly ProgrammeAdvice[] = [
  unusedProgramme,
  goods.linesOfProgramme,
  twoPrices,
  labelFlaws,
  grants.endedGrants,
  choices.idleGroups,
];

/** A programme that no venue runs. */
function* unusedProgramme({ venues, benefits, isComplete }: Around): Generator<Said> {
  if (!isComplete || venues.length > 0 || benefits.length === 0) return;
  yield ['programmeId', 'nobody can get its benefits: no venue runs this programme'];
}

/** Finds the warnings of a file whose entries with faults are null. `members` are those beside the file; `today` is a date such as 2026-11-21. */
export function* findWarnings(
  file: EnvironmentFile,
  members: readonly KnownMember[],
  today: string,
): Generator<Warning> {
  for (const [v, venue] of file.venues.entries()) if (venue) yield* saidAt(`venues[${v}]`, amounts.majorPrices(venue));
  const largeGaps = judgeByBaskets();
  for (const around of programmesOf(file, members, today)) {
    for (const advice of [...OF_A_PROGRAMME, largeGaps]) yield* saidAt(around.path, advice(around));
    for (const [b, own] of around.enabled) {
      for (const advice of OF_A_BENEFIT) yield* saidAt(`${around.path}.benefits[${b}]`, advice(own, around));
    }
  }
}

function* saidAt(path: string, said: Iterable<Said>): Generator<Warning> {
  for (const [place, text] of said) yield { path: below(path, place), text };
}
