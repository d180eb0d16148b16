import type { EnvironmentFile } from '../schema.ts';
import { findEmptied } from './emptied.ts';
import { findEndedGrants } from './ended-grants.ts';
import { findExcessive } from './excessive.ts';
import { findExclusionFlaws, findUnknownExclusions } from './exclusions.ts';
import { findMistypedFunders } from './funders.ts';
import { findLabelFlaws, findTextFlaws } from './languages.ts';
import { judgeByBaskets } from './large-gaps.ts';
import { findMajorPrices, findMajorUnits } from './major-units.ts';
import { findEqualPriorities, findIdlePriorities } from './priorities.ts';
import { findIdleExclusionOfReduced } from './reduced.ts';
import { findIdleRequirements } from './required.ts';
import { type KnownMember, surroundingsOf, type Warning } from './surroundings.ts';
import { findTwoPrices } from './two-prices.ts';
import {
  findBackwardHours,
  findFarBeginnings,
  findIdlePrices,
  findLimitsOfAll,
  findMissingCurrencies,
  findNeedlessGrants,
  findOpenUnitPrices,
  findTinyPercents,
} from './unmeant.ts';
import { findUnobtainable, findUnusedProgramme } from './unobtainable.ts';
import { findIdleGroups, findUnreached } from './unreached.ts';
import { findVoucherSums } from './vouchers.ts';

/** Each looks at one benefit; a new sort of warning is one more line. */
const OF_A_BENEFIT = [
  findUnobtainable,
  findUnknownExclusions,
  findExcessive,
  findMajorUnits,
  findUnreached,
  findTinyPercents,
  findBackwardHours,
  findMissingCurrencies,
  findOpenUnitPrices,
  findIdlePrices,
  findFarBeginnings,
  findNeedlessGrants,
  findLimitsOfAll,
  findMistypedFunders,
  findVoucherSums,
  findIdlePriorities,
  findIdleRequirements,
  findIdleExclusionOfReduced,
  findEmptied,
  findTextFlaws,
];

/** Finds the warnings of a file whose entries with faults are null. `members` are those beside the file; `today` is a date such as 2026-11-21. */
export function* findWarnings(
  file: EnvironmentFile,
  members: readonly KnownMember[],
  today: string,
): Generator<Warning> {
  for (const [v, venue] of file.venues.entries()) if (venue) yield* findMajorPrices(venue, `venues[${v}]`);
  const findLargeGaps = judgeByBaskets();
  for (const around of surroundingsOf(file, members, today)) {
    yield* findUnusedProgramme(around);
    yield* findExclusionFlaws(around);
    yield* findEndedGrants(around);
    yield* findIdleGroups(around);
    yield* findEqualPriorities(around);
    yield* findTwoPrices(around);
    yield* findLabelFlaws(around);
    yield* findLargeGaps(around);
    for (const [b, benefit] of around.benefits) {
      // A benefit that is switched off may wait for its products, its members or its season.
      if (benefit.enabled === false) continue;
      for (const find of OF_A_BENEFIT) yield* find(benefit, `${around.path}.benefits[${b}]`, around);
    }
  }
}
