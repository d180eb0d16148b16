import { PRODUCT_NAMES } from '@loyalty/engine/lines/selector';
import { findBenefitFaults } from './benefit-relations.ts';
import type { DecimalsAt } from './check.ts';
import { type Fault, unknownName, wrong } from './configuration-error.ts';
import { findDuplicates } from './duplicates.ts';
import { findGrantFaults, grantableBenefits } from './member-check.ts';
import type { EnvironmentFile, MemberEntry, VenueEntry } from './schema.ts';
import { findEmptySelector, lineSelectorOf } from './selectors.ts';
import { findSettingFaults, type Settings } from './setting-relations.ts';
import { benefitsOf } from './written-benefit.ts';

/**
 * Rules between entries of the file, which a schema cannot express. Entries with faults of their own are left out, so
 * that one fault is not told twice.
 */

/** The file as far as it can be judged. Its programmes may have faults; everything else has none. */
export interface JudgedFile {
  /** Undefined when one of the settings has a fault of its own. */
  readonly settings: Settings | undefined;
  readonly programmes: EnvironmentFile['programmes'];
  /** IDs of all venues, those with faults of their own too. */
  readonly venueIds: readonly string[];
  /** Sound entries with their numbers. */
  readonly venues: readonly (readonly [number, VenueEntry])[];
  readonly members: readonly (readonly [number, MemberEntry])[];
  readonly decimalsAt: DecimalsAt;
}

/** Finds every violated rule, in file order. */
export function* findFaults(file: JudgedFile): Generator<Fault> {
  if (file.settings) yield* findSettingFaults(file.settings);
  yield* findProgrammeFaults(file);
  yield* findVenueFaults(file);
  const { programmes, venueIds, decimalsAt } = file;
  yield* findBenefitFaults({ programmes, venueIds, venues: file.venues.map(([, venue]) => venue), decimalsAt });
  yield* findMemberFaults(file);
}

/** The programmes that have an ID, with their numbers. */
function namedProgrammes({ programmes }: JudgedFile) {
  return [...programmes.entries()].filter(([, programme]) => typeof programme?.programmeId === 'string');
}

function* findProgrammeFaults(file: JudgedFile): Generator<Fault> {
  for (const [i, programme] of file.programmes.entries()) {
    yield* findLineSelectorFaults(programme?.exclude, `programmes[${i}].exclude`, 'left out');
    yield* findLineSelectorFaults(programme?.weighed, `programmes[${i}].weighed`, 'weighed');
    if (programme?.existingDiscountScope === 'basket' && programme.existingLineDiscounts === 'stack') {
      const allowed = 'keep or replace_if_larger, because existingDiscountScope: basket never combines both';
      yield wrong(`programmes[${i}].existingLineDiscounts`, 'stack', allowed);
    }
  }
  yield* findDuplicates(namedProgrammes(file), ({ programmeId }, i) => [[programmeId, `programmes[${i}].programmeId`]]);
}

/** An empty selector takes every line, which nobody means. */
function* findLineSelectorFaults(written: unknown, path: string, what: string): Generator<Fault> {
  const selector = lineSelectorOf(written);
  if (!selector) return;
  yield* findEmptySelector(selector, path);
  if (PRODUCT_NAMES.some(({ included, excluded }) => selector[included] ?? selector[excluded])) return;
  const names = PRODUCT_NAMES.map(({ included }) => included).join(', ');
  yield wrong(path, selector, `one or more of ${names}: without them every line would be ${what}`);
}

function* findVenueFaults(file: JudgedFile): Generator<Fault> {
  const { venues } = file;
  const known = namedProgrammes(file).map(([, { programmeId }]) => programmeId);
  for (const [i, venue] of venues) {
    if (!isTimeZone(venue.timeZone)) {
      const unknown = { name: venue.timeZone, known: Intl.supportedValuesOf('timeZone') };
      const fault = wrong(`venues[${i}].timeZone`, venue.timeZone, 'an IANA time zone such as Europe/Oslo');
      yield { ...fault, unknown };
    }
    if (!known.includes(venue.programmeId)) {
      yield unknownName(`venues[${i}].programmeId`, venue.programmeId, known);
    }
    yield* findDuplicates((venue.products ?? []).entries(), ({ productId }, p) => [
      [productId, `venues[${i}].products[${p}].productId`],
    ]);
  }
  yield* findDuplicates(venues, ({ venueId }, i) => [[venueId, `venues[${i}].venueId`]]);
  yield* findDuplicates(venues, ({ terminalSetups }, i) =>
    terminalSetups.map((baxId, t) => [baxId, `venues[${i}].terminalSetups[${t}]`]),
  );
}

function* findMemberFaults(file: JudgedFile): Generator<Fault> {
  const grantable = grantableBenefits(
    namedProgrammes(file).map(([, programme]) => ({
      programmeId: programme.programmeId,
      benefits: benefitsOf(programme).flatMap(([, own]) => (typeof own.benefitId === 'string' ? [own] : [])),
    })),
  );
  for (const [i, member] of file.members) yield* findGrantFaults(member, grantable, `members[${i}].`);
  yield* findDuplicates(file.members, ({ programmeId, loyaltyId }, i) => [
    [JSON.stringify([programmeId, loyaltyId]), `members[${i}].loyaltyId`],
  ]);
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    // An offset such as "+01:00" would pass too, but has no daylight saving time.
    return /[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}
