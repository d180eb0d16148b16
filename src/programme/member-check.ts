import { compileCheck } from './check.ts';
import { type Fault, oneOf, show } from './configuration-error.ts';
import { MemberEntry } from './schema.ts';

/** Benefit IDs that a member may be granted, by programme ID. */
export type GrantableBenefits = ReadonlyMap<string, ReadonlySet<string>>;

/** Checks a member against its schema alone, without regard to programmes. */
export const checkMemberShape = compileCheck(MemberEntry);

/** The part of a programme that members are checked against, from the file or compiled. */
interface ProgrammeBenefits {
  readonly programmeId: string;
  readonly benefits: readonly { readonly benefitId: string }[];
}

/** The benefits that each programme can grant. */
export function grantableBenefits(programmes: readonly ProgrammeBenefits[]): GrantableBenefits {
  return new Map(
    programmes.map(({ programmeId, benefits }) => [programmeId, new Set(benefits.map(({ benefitId }) => benefitId))]),
  );
}

/**
 * Creates the check of a member from outside the configuration file, with the rules of the file itself: its schema, an
 * existing programme, existing grants. The check returns the first fault, whose path starts at the member.
 */
export function createMemberCheck(programmes: readonly ProgrammeBenefits[]): (value: unknown) => Fault | undefined {
  const grantable = grantableBenefits(programmes);
  return (value) => checkMemberShape(value, '') ?? findGrantFault(value as MemberEntry, grantable, '');
}

/** Finds an unknown programme or grant. `prefix` is prepended to the path: `members[3].`, or an empty text. */
export function findGrantFault(member: MemberEntry, grantable: GrantableBenefits, prefix: string): Fault | undefined {
  const { programmeId, grants = [] } = member;
  const benefitIds = grantable.get(programmeId);
  if (!benefitIds) {
    return { path: `${prefix}programmeId`, found: show(programmeId), allowed: oneOf([...grantable.keys()]) };
  }
  const unknown = grants.findIndex((grant) => !benefitIds.has(grant));
  if (unknown < 0) return undefined;
  return { path: `${prefix}grants[${unknown}]`, found: show(grants[unknown]), allowed: oneOf([...benefitIds]) };
}
