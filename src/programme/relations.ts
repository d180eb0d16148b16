import { PRODUCT_NAMES, type SelectorDefinition } from '@loyalty/engine/lines/selector';
import { findBenefitFaults } from './benefit-relations.ts';
import type { DecimalsAt } from './check.ts';
import { type Fault, unknownName, wrong } from './configuration-error.ts';
import { findDuplicates } from './duplicates.ts';
import { findGrantFaults, grantableBenefits } from './member-check.ts';
import type { EnvironmentFile, VenueEntry } from './schema.ts';
import { findEmptySelector } from './selectors.ts';
import { findSettingFaults, type Settings } from './setting-relations.ts';
import { benefitsOf } from './written-benefit.ts';

/**
 * Rules between entries of the file, which a schema cannot express. Entries with faults of their own are left out, so
 * that one fault is not told twice.
 */

/** What the rules need beside the entries. */
interface Circumstances {
  /** Undefined when one of the settings has a fault of its own. */
  readonly settings: Settings | undefined;
  /** IDs of all venues, those with faults of their own too. */
  readonly venueIds: readonly string[];
  readonly decimalsAt: DecimalsAt;
}

/** Finds every violated rule, in file order. Entries of the file with faults are null, and such fields of programmes undefined. */
export function* findFaults(
  file: EnvironmentFile,
  { settings, venueIds, decimalsAt }: Circumstances,
): Generator<Fault> {
  const { programmes } = file;
  const venues = soundOf(file.venues);
  const named = [...programmes.entries()].filter(([, { programmeId }]) => programmeId !== undefined);
  if (settings) yield* findSettingFaults(settings);
  for (const [i, programme] of programmes.entries()) yield* findProgrammeFaults(programme, `programmes[${i}]`);
  yield* findDuplicates(named, ({ programmeId }, i) => [[programmeId, `programmes[${i}].programmeId`]]);
  const known = named.map(([, { programmeId }]) => programmeId);
  for (const [i, venue] of venues) yield* findVenueFaults(venue, known, `venues[${i}]`);
  yield* findDuplicates(venues, ({ venueId }, i) => [[venueId, `venues[${i}].venueId`]]);
  yield* findDuplicates(venues, ({ terminalSetups }, i) =>
    terminalSetups.map((baxId, t) => [baxId, `venues[${i}].terminalSetups[${t}]`]),
  );
  yield* findBenefitFaults({ programmes, venueIds, venues: venues.map(([, venue]) => venue), decimalsAt });
  const grantable = grantableBenefits(
    named.map(([, programme]) => ({
      programmeId: programme.programmeId,
      benefits: benefitsOf(programme).flatMap(([, own]) => (typeof own.benefitId === 'string' ? [own] : [])),
    })),
  );
  const members = soundOf(file.members ?? []);
  for (const [i, member] of members) yield* findGrantFaults(member, grantable, `members[${i}].`);
  yield* findDuplicates(members, ({ programmeId, loyaltyId }, i) => [
    [loyaltyId, `members[${i}].loyaltyId`, programmeId],
  ]);
}

/** The entries of a list without faults, with their numbers. */
function soundOf<Entry>(entries: readonly Entry[]): [number, Entry][] {
  return [...entries.entries()].filter(([, entry]) => entry !== null);
}

function* findProgrammeFaults(programme: EnvironmentFile['programmes'][number], path: string): Generator<Fault> {
  yield* findLineSelectorFaults(programme.exclude, `${path}.exclude`, 'left out');
  yield* findLineSelectorFaults(programme.weighed, `${path}.weighed`, 'weighed');
  if (programme.existingDiscountScope === 'basket' && programme.existingLineDiscounts === 'stack') {
    const allowed = 'keep or replace_if_larger, because existingDiscountScope: basket never combines both';
    yield wrong(`${path}.existingLineDiscounts`, 'stack', allowed);
  }
}

/** An empty selector takes every line, which nobody means. */
function* findLineSelectorFaults(
  selector: SelectorDefinition | undefined,
  path: string,
  what: string,
): Generator<Fault> {
  if (!selector) return;
  yield* findEmptySelector(selector, path);
  if (PRODUCT_NAMES.some(({ included, excluded }) => selector[included] ?? selector[excluded])) return;
  const names = PRODUCT_NAMES.map(({ included }) => included).join(', ');
  yield wrong(path, selector, `one or more of ${names}: without them every line would be ${what}`);
}

function* findVenueFaults(venue: VenueEntry, programmeIds: readonly string[], path: string): Generator<Fault> {
  const { timeZone, programmeId, products = [] } = venue;
  if (!isTimeZone(timeZone)) {
    const unknown = { name: timeZone, known: Intl.supportedValuesOf('timeZone') };
    yield { ...wrong(`${path}.timeZone`, timeZone, 'an IANA time zone such as Europe/Oslo'), unknown };
  }
  if (!programmeIds.includes(programmeId)) yield unknownName(`${path}.programmeId`, programmeId, programmeIds);
  yield* findDuplicates(products.entries(), ({ productId }, p) => [[productId, `${path}.products[${p}].productId`]]);
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
