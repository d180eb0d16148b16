import { checkValue } from './check.ts';
import { type Fault, unknownName, wrong } from './configuration-error.ts';
import { findDuplicates } from './duplicates.ts';
import { nearestName } from './nearest-name.ts';
import { MemberEntry } from './schema.ts';

/** Benefit IDs that a member may be granted, by programme ID. */
export type GrantableBenefits = ReadonlyMap<string, ReadonlySet<string>>;

type Grant = NonNullable<MemberEntry['grants']>[number];

/** Checks a member against its schema alone, without regard to programmes. Returns the first fault. */
export function checkMemberShape(value: unknown, path: string): Fault | undefined {
  return checkValue(MemberEntry, value, path)[0];
}

/** The part of a programme that members are checked against, from the file or compiled. */
interface ProgrammeBenefits {
  readonly programmeId: string;
  readonly benefits: readonly { readonly benefitId: string }[];
  /** Of a compiled programme the benefits that are switched off: a grant of one waits for it. */
  readonly disabled?: readonly { readonly benefitId: string }[];
}

/** The benefits that each programme can grant. */
export function grantableBenefits(programmes: readonly ProgrammeBenefits[]): GrantableBenefits {
  return new Map(
    programmes.map(({ programmeId, benefits, disabled = [] }) => [
      programmeId,
      new Set([...benefits, ...disabled].map(({ benefitId }) => benefitId)),
    ]),
  );
}

/**
 * Creates the check of a member from outside the configuration file, with the rules of the file itself: its schema, an
 * existing programme, existing grants. The check returns the first fault, whose path starts at the member. `owned` are
 * benefits of grants that the member has already: one of them is no fault after its campaign has ended.
 */
export function createMemberCheck(
  programmes: readonly ProgrammeBenefits[],
): (value: unknown, owned?: ReadonlySet<string>) => Fault | undefined {
  const grantable = grantableBenefits(programmes);
  return (value, owned) => {
    const fault = checkMemberShape(value, '');
    if (fault) return fault;
    const [unknown] = findGrantFaults(value as MemberEntry, grantable, '', owned);
    return unknown;
  };
}

/** The benefits of grants that the configuration no longer has: their campaigns ended, and the grants are kept. */
export function endedBenefits(
  programmeId: string,
  grants: readonly (string | { readonly benefitId: string })[],
  grantable: GrantableBenefits,
): string[] {
  const known = grantable.get(programmeId);
  const benefitIds = grants.map((grant) => (typeof grant === 'string' ? grant : grant.benefitId));
  return [...new Set(benefitIds.filter((benefitId) => !known?.has(benefitId)))];
}

/**
 * True for the error of a grant whose benefit has probably ended: no benefit has a name that it could be misspelt from. The
 * campaign of another year, whose name differs by its digits alone, is no misspelling. A `key` is a field of the grant.
 */
export function isOfEndedBenefit({ path, unknown, key }: Fault): boolean {
  if (!unknown || key !== undefined || !/grants\[\d+\](?:\.benefitId)?$/.test(path)) return false;
  const nearest = nearestName(unknown.name, unknown.known);
  return nearest === undefined || withoutDigits(nearest) === withoutDigits(unknown.name);
}

function withoutDigits(name: string): string {
  return name.replaceAll(/\d+/g, '#');
}

/** Finds an unknown programme, or unknown grants. `prefix` is prepended to the path: `members[3].`, or an empty text. */
export function* findGrantFaults(
  member: MemberEntry,
  grantable: GrantableBenefits,
  prefix: string,
  owned: ReadonlySet<string> = new Set(),
): Generator<Fault> {
  const { programmeId, grants = [] } = member;
  const benefitIds = grantable.get(programmeId);
  if (!benefitIds) {
    yield unknownName(`${prefix}programmeId`, programmeId, [...grantable.keys()]);
    return;
  }
  const isKnown = (benefitId: string) => benefitIds.has(benefitId) || owned.has(benefitId);
  for (const [g, grant] of grants.entries()) {
    const path = `${prefix}grants[${g}]`;
    if (typeof grant === 'string') {
      if (!isKnown(grant)) yield unknownName(path, grant, [...benefitIds]);
      continue;
    }
    const { benefitId, from, to } = grant;
    if (!isKnown(benefitId)) yield unknownName(`${path}.benefitId`, benefitId, [...benefitIds]);
    if (from !== undefined && to !== undefined && to < from) {
      yield wrong(`${path}.to`, to, `a date from ${from} on`);
    }
  }
  yield* findRepeatedGrants(grants, prefix);
}

/** Each grant has a name of its own; of a benefitId alone it is the benefitId. That one may be there twice. */
function* findRepeatedGrants(grants: readonly Grant[], prefix: string): Generator<Fault> {
  const isRepeated = (grant: Grant, g: number) => typeof grant === 'string' && grants.indexOf(grant) < g;
  const once = [...grants.entries()].filter(([g, grant]) => !isRepeated(grant, g));
  yield* findDuplicates(once, (grant, g) => [
    typeof grant === 'string' ? [grant, `${prefix}grants[${g}]`] : [grant.grantId, `${prefix}grants[${g}].grantId`],
  ]);
}
