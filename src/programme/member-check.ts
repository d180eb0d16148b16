import { compileCheck } from './check.ts';
import { type Fault, unknownName } from './configuration-error.ts';
import { MemberEntry } from './schema.ts';

/** Benefit IDs that a member may be granted, by programme ID. */
export type GrantableBenefits = ReadonlyMap<string, ReadonlySet<string>>;

const checkMember = compileCheck(MemberEntry);

/** Checks a member against its schema alone, without regard to programmes. Returns the first fault. */
export function checkMemberShape(value: unknown, path: string): Fault | undefined {
  return checkMember(value, path)[0];
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
 * existing programme, existing grants. The check returns the first fault, whose path starts at the member.
 */
export function createMemberCheck(programmes: readonly ProgrammeBenefits[]): (value: unknown) => Fault | undefined {
  const grantable = grantableBenefits(programmes);
  return (value) => {
    const fault = checkMemberShape(value, '');
    if (fault) return fault;
    const [unknown] = findGrantFaults(value as MemberEntry, grantable, '');
    return unknown;
  };
}

/** Finds an unknown programme, or unknown grants. `prefix` is prepended to the path: `members[3].`, or an empty text. */
export function* findGrantFaults(member: MemberEntry, grantable: GrantableBenefits, prefix: string): Generator<Fault> {
  const { programmeId, grants = [] } = member;
  const benefitIds = grantable.get(programmeId);
  if (!benefitIds) {
    yield unknownName(`${prefix}programmeId`, programmeId, [...grantable.keys()]);
    return;
  }
  for (const [g, grant] of grants.entries()) {
    if (!benefitIds.has(grant)) yield unknownName(`${prefix}grants[${g}]`, grant, [...benefitIds]);
  }
}
