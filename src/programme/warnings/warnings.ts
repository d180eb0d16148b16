import { below } from '../configuration-error.ts';
import type { EnvironmentFile } from '../schema.ts';
import { type BenefitAdvice, type KnownMember, type ProgrammeAdvice, programmesOf, type Said } from './advice.ts';
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
  windows.endedBenefit,
  windows.foreignVenues,
  windows.backwardHours,
  windows.farBeginning,
  windows.emptiedWindows,
  amounts.foreignCurrencies,
  amounts.missingCurrencies,
  amounts.majorUnits,
  amounts.tinyPercent,
  excessiveBenefit,
  limits.tooFewUnits,
  limits.savingBeyondCap,
  limits.unreachedLimit,
  limits.unsharedLimit,
  limits.limitOfOneBasket,
  limits.idlePick,
  limits.unreachedCap,
  limits.limitOfAll,
  goods.openUnitPrice,
  goods.idleUnitPrice,
  goods.idleBundlePrice,
  goods.idleRequirement,
  goods.idleExclusionOfReduced,
  goods.emptiedSelectors,
  grants.needlessGrants,
  grants.voucherSum,
  choices.mistypedFunder,
  choices.idlePriority,
  textFlaws,
];

/** These compare names, and wait until no entry that could have one has an error. */
const OF_A_BENEFIT_WITH_NAMES: readonly BenefitAdvice[] = [
  windows.unknownTiers,
  goods.unknownGoods,
  goods.hiddenGoods,
  goods.protectedGoods,
  goods.unknownExclusions,
  grants.ungranted,
];

const OF_A_PROGRAMME: readonly ProgrammeAdvice[] = [goods.exceptionsWithoutRule, twoPrices, labelFlaws];

const OF_A_PROGRAMME_WITH_NAMES: readonly ProgrammeAdvice[] = [
  unusedProgramme,
  goods.unknownLines,
  grants.endedGrants,
  limits.idleGroups,
  choices.equalPriorities,
];

/** A programme that no venue runs. */
function* unusedProgramme({ venues, benefits }: Parameters<ProgrammeAdvice>[0]): Generator<Said> {
  if (venues.length > 0 || benefits.length === 0) return;
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
    const { path, isComplete } = around;
    for (const advice of OF_A_PROGRAMME) yield* saidAt(path, advice(around));
    if (isComplete) for (const advice of [...OF_A_PROGRAMME_WITH_NAMES, largeGaps]) yield* saidAt(path, advice(around));
    for (const [b, own] of around.enabled) {
      const pieces = isComplete ? [...OF_A_BENEFIT, ...OF_A_BENEFIT_WITH_NAMES] : OF_A_BENEFIT;
      for (const advice of pieces) yield* saidAt(`${path}.benefits[${b}]`, advice(own, around));
    }
  }
}

function* saidAt(path: string, said: Iterable<Said>): Generator<Warning> {
  for (const [place, text] of said) yield { path: below(path, place), text };
}
