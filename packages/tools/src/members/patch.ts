import { isDeepStrictEqual } from 'node:util';
import { type Fault, show } from '../../../../src/programme/configuration-error.ts';
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
  const { addGrants, removeGrants, ended, ...rest } = withoutNulls(value);
  if (ended !== undefined && !isListOfTexts(ended)) {
    return { path: 'ended', found: show(ended), allowed: 'a list of benefitIds' };
  }
  if (isReplacing) {
    const { ended: _, ...whole } = withoutNulls(value);
    return checkMemberShape(whole, '');
  }
  const whole = { status: 'active', ...rest };
  const fault = checkMemberShape(whole, '');
  if (fault) return fault;
  if (addGrants !== undefined) {
    const added = checkMemberShape({ ...whole, grants: addGrants }, '');
    if (added) return { ...added, path: added.path.replace(/^grants/, 'addGrants') };
  }
  if (removeGrants === undefined || isListOfTexts(removeGrants)) return undefined;
  return { path: 'removeGrants', found: show(removeGrants), allowed: 'a list of grantIds or benefitIds' };
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
    return { fault: { path: 'status', found: 'nothing', allowed: 'a status, because no such member is stored' } };
  }
  const tier = patch.tier === undefined ? before?.tier : patch.tier;
  const memberLabel = patch.memberLabel === undefined ? before?.memberLabel : patch.memberLabel;
  const given = giveGrants(takeGrants(grants ?? before?.grants ?? [], removeGrants), addGrants);
  // A grant that a list names twice is one grant.
  const once = given.filter((grant, g) => typeof grant !== 'string' || given.indexOf(grant) === g);
  const named = { programmeId, loyaltyId, status };
  const member = { ...named, ...(tier && { tier }), ...(memberLabel && { memberLabel }), grants: once };
  return inFile && !isSameMember(member, inFile) ? { fault: inFileFault(patch) } : { member };
}

/** A row of an export has the member as it is in the file, and is none the worse for it. */
function isSameMember(one: StoredMember, other: StoredMember): boolean {
  const [first, second] = [one, other].map(({ grants, ...facts }) => ({
    ...facts,
    grants: grants.toSorted((a, b) => (nameOfGrant(a) < nameOfGrant(b) ? -1 : 1)),
  }));
  return isDeepStrictEqual(first, second);
}

function inFileFault({ loyaltyId }: MemberPatch): Fault {
  return {
    path: 'loyaltyId',
    found: `${show(loyaltyId)}, which is in the configuration file`,
    allowed: 'another member; change this one in the file, which every start writes',
  };
}

type Grants = StoredMember['grants'];

/** Takes the grants that have one of the names, and all grants of a benefit that is named. */
function takeGrants(grants: Grants, names: readonly string[]): Grants {
  return grants.filter((grant) => !names.includes(nameOfGrant(grant)) && !names.includes(benefitOfGrant(grant)));
}

/** Gives grants beside those that are there; one of the same name takes the other one's place. */
function giveGrants(grants: Grants, given: Grants): Grants {
  const names = given.map(nameOfGrant);
  return [...grants.filter((grant) => !names.includes(nameOfGrant(grant))), ...given];
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

function withoutNulls(value: object): Record<string, unknown> {
  const cleared = ['tier', 'memberLabel'];
  return Object.fromEntries(Object.entries(value).filter(([key, own]) => own !== null || !cleared.includes(key)));
}
