import type { BenefitDefinition } from '../pricing/compile.ts';
import type { BenefitKind } from '../pricing/programme.ts';
import { BENEFIT_SCHEMAS } from './benefit-schema.ts';
import { compileCheck } from './check.ts';
import { type Fault, show } from './configuration-error.ts';
import type { EnvironmentFile } from './schema.ts';

/** What a schema cannot say: one thing of the file measured against another. Each check answers with its first fault. */

type CheckedFile = EnvironmentFile & {
  readonly latencyBudget: { readonly p95: number; readonly p99: number; readonly deadline: number };
};

const benefitChecks = new Map(
  Object.entries(BENEFIT_SCHEMAS).map(([kind, schema]) => [kind as BenefitKind, compileCheck(schema)]),
);

/** The first relation that does not hold, from the top of the file down. */
export function findFault(file: CheckedFile): Fault | undefined {
  return (
    findBudgetFault(file) ??
    findProgrammeFault(file) ??
    findVenueFault(file) ??
    findBenefitFault(file) ??
    findMemberFault(file)
  );
}

function findBudgetFault({ latencyBudget }: CheckedFile): Fault | undefined {
  const { p95, p99, deadline } = latencyBudget;
  if (p95 > p99) return { path: 'latencyBudget.p95', found: show(p95), allowed: `at most p99 (${p99})` };
  if (p99 > deadline) return { path: 'latencyBudget.p99', found: show(p99), allowed: `at most deadline (${deadline})` };
  return undefined;
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

function findBenefitFault({ programmes }: CheckedFile): Fault | undefined {
  for (const [p, programme] of programmes.entries()) {
    const benefits = (programme.benefits ?? []) as BenefitDefinition[];
    for (const [b, benefit] of benefits.entries()) {
      const path = `programmes[${p}].benefits[${b}]`;
      const check = benefitChecks.get(benefit.kind);
      if (!check) return { path: `${path}.kind`, found: show(benefit.kind), allowed: oneOf([...benefitChecks.keys()]) };
      const fault = check(benefit, path) ?? findWindowFault(benefit, path);
      if (fault) return fault;
    }
    const twice = findDuplicate(benefits, ({ benefitId }, b) => [
      [benefitId, `programmes[${p}].benefits[${b}].benefitId`],
    ]);
    if (twice) return twice;
  }
  return undefined;
}

function findWindowFault({ when }: BenefitDefinition, path: string): Fault | undefined {
  if (when?.from !== undefined && when.to !== undefined && when.to < when.from) {
    return { path: `${path}.when.to`, found: show(when.to), allowed: `a date from ${when.from} on` };
  }
  return undefined;
}

function findMemberFault({ members, programmes }: CheckedFile): Fault | undefined {
  const known = new Map(programmes.map(({ programmeId, benefits }) => [programmeId, benefits ?? []]));
  for (const [i, member] of (members ?? []).entries()) {
    const benefits = known.get(member.programmeId) as BenefitDefinition[] | undefined;
    if (!benefits) {
      return { path: `members[${i}].programmeId`, found: show(member.programmeId), allowed: oneOf([...known.keys()]) };
    }
    const ids = benefits.map(({ benefitId }) => benefitId);
    const unknown = (member.grants ?? []).findIndex((grant) => !ids.includes(grant));
    if (unknown >= 0) {
      return { path: `members[${i}].grants[${unknown}]`, found: show(member.grants?.[unknown]), allowed: oneOf(ids) };
    }
  }
  return findDuplicate(members ?? [], ({ programmeId, loyaltyId }, i) => [
    [JSON.stringify([programmeId, loyaltyId]), `members[${i}].loyaltyId`],
  ]);
}

/** The first name that stands twice; `namesOf` gives each entry's names with their paths. */
function findDuplicate<Entry>(
  entries: readonly Entry[],
  namesOf: (entry: Entry, index: number) => [name: string, path: string][],
): Fault | undefined {
  const seen = new Map<string, string>();
  for (const [index, entry] of entries.entries()) {
    for (const [name, path] of namesOf(entry, index)) {
      const first = seen.get(name);
      if (first) return { path, found: `${show(name)} a second time`, allowed: `a value other than that of ${first}` };
      seen.set(name, path);
    }
  }
  return undefined;
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    // An offset such as "+01:00" would pass too, but knows no clock change.
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}

function oneOf(names: readonly string[]): string {
  return names.length === 0 ? 'none, the list is empty' : `one of ${names.join(', ')}`;
}
