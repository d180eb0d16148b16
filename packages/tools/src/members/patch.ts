import { isDeepStrictEqual } from 'node:util';
import { type Fault, show, wrong } from '../../../../src/programme/configuration-error.ts';
import { checkMemberShape, findGrantFaults, type GrantableBenefits } from '../../../../src/programme/member-check.ts';
import { benefitOfGrant, nameOfGrant, type StoredMember } from '../../../../src/store/members.ts';

/**
 * A row of an import as a change of its member: what it does not name stays as it is. `null` takes the tier or the label
 * away. `addGrants` and `removeGrants` leave the other grants alone.
 */
export interface MemberPatch {
  readonly programmeId: string;
  readonly loyaltyId: string;
  readonly status?: StoredMember['status'];
  readonly tier?: string | null;
  readonly memberLabel?: string | null;
  readonly grants?: StoredMember['grants'];
  readonly addGrants?: StoredMember['grants'];
  readonly removeGrants?: readonly string[];
  /** Benefits of its `grants` that the configuration no longer had when the member was exported. */
  readonly ended?: readonly string[];
}

/** What an import may rely on. */
export interface PatchRules {
  readonly grantable: GrantableBenefits;
  /** The member as the configuration file has it, which every start and reload writes. */
  findFileMember(programmeId: string, loyaltyId: string): StoredMember | undefined;
  /** True where a row takes the place of all that is stored of its member: a field that it leaves out is empty. */
  readonly isReplacing: boolean;
  /** True where every unknown benefit of `grants` counts as one that has ended, as in an export of earlier. */
  readonly keepsEnded: boolean;
}

/** The member after the change, or the error for which the row is rejected. */
export type Patched = { readonly member: StoredMember; readonly fault?: undefined } | { readonly fault: Fault };

/** Finds the first error of a row that shows without the stored member. */
export function checkPatchShape(value: unknown, isReplacing: boolean): Fault | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return checkMemberShape(value, '');
  const { ended, ...whole } = withoutNulls(value);
  if (ended !== undefined && !isListOfTexts(ended)) return wrong('ended', ended, 'a list of benefitIds');
  if (isReplacing) return withOwnFields(checkMemberShape(whole, ''), ['ended']);
  const { addGrants, removeGrants, ...rest } = { status: 'active', ...whole } as Record<string, unknown>;
  const fault = checkMemberShape(rest, '');
  if (fault) return withOwnFields(fault, ['addGrants', 'removeGrants', 'ended']);
  if (addGrants !== undefined) {
    const added = checkMemberShape({ ...rest, grants: addGrants }, '');
    if (added) return { ...added, path: added.path.replace(/^grants/, 'addGrants') };
  }
  if (removeGrants === undefined || isListOfTexts(removeGrants)) return undefined;
  return wrong('removeGrants', removeGrants, 'a list of grantIds or benefitIds');
}

/** The error of an unknown field lists those that only a row has, too. */
function withOwnFields(fault: Fault | undefined, names: readonly string[]): Fault | undefined {
  if (!fault?.unknown || fault.path !== '') return fault;
  const known = [...fault.unknown.known, ...names];
  return { ...fault, allowed: known.join(', '), unknown: { ...fault.unknown, known } };
}

/** `null` takes these values away. */
function withoutNulls(value: object): Record<string, unknown> {
  const isCleared = ([name, own]: [string, unknown]) => own === null && (name === 'tier' || name === 'memberLabel');
  return Object.fromEntries(Object.entries(value).filter((field) => !isCleared(field)));
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}

/** Changes what the row names, and nothing else, unless rows replace their members. */
export function applyPatch(patch: MemberPatch, stored: StoredMember | undefined, rules: PatchRules): Patched {
  const { programmeId, loyaltyId, grants, addGrants = [], removeGrants = [] } = patch;
  const inFile = rules.findFileMember(programmeId, loyaltyId);
  const present = inFile ?? stored;
  const fault = findUnknown(patch, present, rules);
  if (fault) return { fault };
  const before = rules.isReplacing ? undefined : present;
  const status = patch.status ?? before?.status;
  if (status === undefined) {
    return { fault: wrong('status', undefined, 'a status, because no such member is stored') };
  }
  const tier = patch.tier === undefined ? before?.tier : patch.tier;
  const memberLabel = patch.memberLabel === undefined ? before?.memberLabel : patch.memberLabel;
  // A grant takes the place of one of the same name, and a name in `removeGrants` is that of a grant or of a benefit.
  const isTaken = (name: string) =>
    removeGrants.includes(name) || addGrants.some((grant) => nameOfGrant(grant) === name);
  const kept = (grants ?? before?.grants ?? []).filter(
    (grant) => !isTaken(nameOfGrant(grant)) && !removeGrants.includes(benefitOfGrant(grant)),
  );
  const given = [...kept, ...addGrants];
  const member = {
    programmeId,
    loyaltyId,
    status,
    ...(tier && { tier }),
    ...(memberLabel && { memberLabel }),
    // A grant that a list names twice is one grant.
    grants: given.filter((grant, g) => typeof grant !== 'string' || given.indexOf(grant) === g),
  };
  if (!inFile || isSameMember(member, inFile)) return { member };
  const found = `${show(loyaltyId)}, which is in the configuration file`;
  const allowed = 'another member; change this one in the file, which every start writes';
  return { fault: { path: 'loyaltyId', found, allowed } };
}

/** A row of an export has the member as it is in the file, and is none the worse for it. */
function isSameMember(one: StoredMember, other: StoredMember): boolean {
  const [first, second] = [one, other].map(({ grants, ...facts }) => ({
    ...facts,
    grants: grants.toSorted((a, b) => (nameOfGrant(a) < nameOfGrant(b) ? -1 : 1)),
  }));
  return isDeepStrictEqual(first, second);
}

/**
 * Finds an unknown programme or benefit in what the row names. A grant that the member has already is no error when the
 * configuration no longer has its benefit: the campaign ended. Of a row of an export the ended ones are named, so that it
 * reads back into an empty Redis too. A grant that is added now must be of a benefit that is there.
 */
function findUnknown(
  patch: MemberPatch,
  stored: StoredMember | undefined,
  { grantable, keepsEnded }: PatchRules,
): Fault | undefined {
  const { programmeId, loyaltyId } = patch;
  const owned = new Set(stored?.grants.map(benefitOfGrant));
  const ended = keepsEnded ? (patch.grants ?? []).map(benefitOfGrant) : (patch.ended ?? []);
  const permitted = { grants: new Set([...owned, ...ended]), addGrants: owned };
  for (const field of ['grants', 'addGrants'] as const) {
    const grants = [...(patch[field] ?? [])] as NonNullable<Parameters<typeof findGrantFaults>[0]['grants']>;
    const row = { programmeId, loyaltyId, status: 'active', grants } as const;
    for (const fault of findGrantFaults(row, grantable, '', permitted[field])) {
      return { ...fault, path: fault.path.replace(/^grants/, field) };
    }
  }
  return undefined;
}
