import { compileCheck } from './check.ts';
import { type Fault, oneOf, show } from './configuration-error.ts';
import { MemberEntry } from './schema.ts';

/** Benefit IDs that a member may be granted, by programme ID. */
export type GrantableBenefits = ReadonlyMap<string, ReadonlySet<string>>;

/** The words of a member alone, whatever programmes there are. */
export const checkMemberShape = compileCheck(MemberEntry);

/** As much of a programme as members are measured against, in the file or compiled. */
interface ProgrammeBenefits {
  readonly programmeId: string;
  readonly benefits: readonly { readonly benefitId: string }[];
}

/** What may be granted where. */
export function grantableBenefits(programmes: readonly ProgrammeBenefits[]): GrantableBenefits {
  return new Map(
    programmes.map(({ programmeId, benefits }) => [programmeId, new Set(benefits.map(({ benefitId }) => benefitId))]),
  );
}

/**
 * The check of a member that comes from outside the configuration file, with the rules of the file itself: its words, a
 * programme that exists, grants that exist there. It answers with the first fault, whose path starts at the member.
 */
export function createMemberCheck(programmes: readonly ProgrammeBenefits[]): (value: unknown) => Fault | undefined {
  const grantable = grantableBenefits(programmes);
  return (value) => checkMemberShape(value, '') ?? findGrantFault(value as MemberEntry, grantable, '');
}

/** A programme or a grant that does not exist. `prefix` stands before the path: `members[3].`, or nothing. */
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
