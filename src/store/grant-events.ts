import { eventText, memberStream, type UnbookedEvent } from './events.ts';
import type { MemberToken } from './keys.ts';
import { nameOfGrant, type StoredGrant, type StoredMember } from './members.ts';
import type { Pseudonym } from './pseudonyms.ts';
import { besideMember, type Store } from './store.ts';

/** What becomes of grants, for the scripts that write members: their events, and when they end. */

type Grant = StoredMember['grants'][number];

const DAY_MS = 86_400_000;
/** A day is over everywhere when it is over at UTC−12. */
const LAST_ZONE_MS = 43_200_000;

/** The instant at which the last day of a grant is over everywhere; undefined without one. */
export function endOfGrant(grant: Grant): number | undefined {
  if (typeof grant === 'string' || grant.to === undefined) return undefined;
  return Date.parse(`${grant.to}T00:00:00Z`) + DAY_MS + LAST_ZONE_MS;
}

/** The name of a member's grant among those that end. */
function dueName(member: MemberToken, grant: Grant): string {
  return `${member} ${nameOfGrant(grant)}`;
}

/** The names of a member's grants among those that end. */
export function dueNames(member: MemberToken, grants: readonly Grant[]): string[] {
  return grants.filter((grant) => endOfGrant(grant) !== undefined).map((grant) => dueName(member, grant));
}

/** The counter of a grant's uses, as pricing names it (engine/src/offers/grants.ts); empty of one without a quantity. */
export function counterOfGrant(grant: Grant): string {
  if (typeof grant === 'string' || grant.quantity === undefined) return '';
  return `${grant.benefitId}/${grant.grantId}:*`;
}

/** Whose grants they are. */
export interface GrantOwner {
  readonly token: MemberToken;
  readonly pseudonym: Pseudonym;
  readonly programmeId: string;
}

/** The event of a grant. */
export function grantEvent(
  { pseudonym, programmeId }: Omit<GrantOwner, 'token'>,
  result: 'granted' | 'revoked' | 'grant_ended',
  grant: Grant,
  used?: number,
): string {
  const { benefitId, grantId, quantity, from, to }: StoredGrant =
    typeof grant === 'string' ? { benefitId: grant, grantId: grant } : grant;
  const told = {
    ...{ result, member: pseudonym, programmeId, benefitId, grantId },
    ...(quantity !== undefined && { quantity }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(used !== undefined && { used }),
  };
  return eventText(told as UnbookedEvent);
}

/** When the grants of a member end, for `note_grants`: those that it has now, and those that it had before. */
export function grantsDue(member: MemberToken, before: readonly Grant[], after: readonly Grant[]): (string | number)[] {
  const ends = new Map(after.map((grant) => [dueName(member, grant), endOfGrant(grant)] as const));
  const gone = before.map((grant) => dueName(member, grant)).filter((name) => !ends.has(name));
  const noted = [...ends].map(([name, endsMs]) => [name, endsMs ?? ''] as const);
  return [...noted, ...gone.map((name) => [name, ''] as const)].flat();
}

/**
 * The changes of a member's grants, for `tell_grants`, and the ends of those that it has now. A grant that is given with another
 * quantity or other days is given anew; one that is taken keeps its end until the script has seen whether it had ended.
 */
export function grantChanges(owner: GrantOwner, before: readonly Grant[], after: readonly Grant[]) {
  const earlier = new Map(before.map((grant) => [nameOfGrant(grant), grant]));
  const later = new Map(after.map((grant) => [nameOfGrant(grant), grant]));
  const taken = [...earlier.values()].filter((grant) => !later.has(nameOfGrant(grant)));
  const isSame = (grant: Grant) => JSON.stringify(earlier.get(nameOfGrant(grant))) === JSON.stringify(grant);
  const given = [...later.values()].filter((grant) => !isSame(grant));
  const told = [
    ...given.map((grant) => [grantEvent(owner, 'granted', grant), '', '', ''] as const),
    ...taken.map((grant) => {
      const endsMs = endOfGrant(grant);
      const name = endsMs === undefined ? '' : dueName(owner.token, grant);
      return [grantEvent(owner, 'revoked', grant), counterOfGrant(grant), name, endsMs ?? ''] as const;
    }),
  ];
  const changed = given.map((grant) => earlier.get(nameOfGrant(grant))).filter((grant) => grant !== undefined);
  return { told, due: grantsDue(owner.token, changed, given) };
}

/** The keys of the events and ends of a member's grants, for a script in the slot of the member. */
export function grantKeys(store: Store, member: MemberToken) {
  const { keys } = store;
  return {
    grantsDue: besideMember(store, keys.grantsDue()),
    events: besideMember(store, keys.events(memberStream(member))),
  };
}
