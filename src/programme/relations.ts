import type { BenefitDefinition } from '../pricing/definition.ts';
import { findBenefitFault } from './benefit-relations.ts';
import { type Fault, oneOf, show } from './configuration-error.ts';
import { findDuplicate } from './duplicates.ts';
import { findGrantFault, grantableBenefits } from './member-check.ts';
import type { EnvironmentFile } from './schema.ts';
import { findSettingFault, type Settings } from './setting-relations.ts';

/** Rules between entries of the file, which a schema cannot express. Each check returns its first fault. */

type CheckedFile = EnvironmentFile & Settings;

/** Finds the first violated rule, in file order. */
export function findFault(file: CheckedFile): Fault | undefined {
  return (
    findSettingFault(file) ??
    findProgrammeFault(file) ??
    findVenueFault(file) ??
    findBenefitFault(file) ??
    findMemberFault(file)
  );
}

function findProgrammeFault({ programmes }: CheckedFile): Fault | undefined {
  return findDuplicate(programmes, ({ programmeId }, i) => [[programmeId, `programmes[${i}].programmeId`]]);
}

function findVenueFault({ venues, programmes }: CheckedFile): Fault | undefined {
  const known = programmes.map(({ programmeId }) => programmeId);
  for (const [i, venue] of venues.entries()) {
    if (!isTimeZone(venue.timeZone)) {
      return {
        path: `venues[${i}].timeZone`,
        found: show(venue.timeZone),
        allowed: 'an IANA time zone such as Europe/Oslo',
      };
    }
    if (!known.includes(venue.programmeId)) {
      return { path: `venues[${i}].programmeId`, found: show(venue.programmeId), allowed: oneOf(known) };
    }
    const product = findDuplicate(venue.products ?? [], ({ productId }, p) => [
      [productId, `venues[${i}].products[${p}].productId`],
    ]);
    if (product) return product;
  }
  return (
    findDuplicate(venues, ({ venueId }, i) => [[venueId, `venues[${i}].venueId`]]) ??
    findDuplicate(venues, ({ terminalSetups }, i) =>
      terminalSetups.map((baxId, t) => [baxId, `venues[${i}].terminalSetups[${t}]`]),
    )
  );
}

function findMemberFault({ members, programmes }: CheckedFile): Fault | undefined {
  const grantable = grantableBenefits(
    programmes.map(({ programmeId, benefits }) => ({ programmeId, benefits: (benefits ?? []) as BenefitDefinition[] })),
  );
  for (const [i, member] of (members ?? []).entries()) {
    const fault = findGrantFault(member, grantable, `members[${i}].`);
    if (fault) return fault;
  }
  return findDuplicate(members ?? [], ({ programmeId, loyaltyId }, i) => [
    [JSON.stringify([programmeId, loyaltyId]), `members[${i}].loyaltyId`],
  ]);
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    // An offset such as "+01:00" would pass too, but has no daylight saving time.
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}
