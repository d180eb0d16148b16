import type { Programme } from '../compile/programme.ts';
import { SHARE_PARTS, type Share, sharePart, type Whose } from '../conditions/share.ts';

/** The shares of members that a programme names (conditions/share.ts). */

/** Most programmes have none, and each call would look through all benefits for them. */
const sharesOfProgramme = new WeakMap<Programme, readonly Share[]>();

/** The shares that the benefits of a programme name. */
export function sharesOf(programme: Programme): readonly Share[] {
  let shares = sharesOfProgramme.get(programme);
  if (!shares) {
    shares = programme.benefits.flatMap(({ openings }) => openings.flatMap(({ conditions }) => conditions.share ?? []));
    sharesOfProgramme.set(programme, shares);
  }
  return shares;
}

/** The member's part under every salt of the programme, to be kept where the loyalty ID is not; undefined without one. */
export function sharePartsOf(programme: Programme, member: Whose): Record<string, number> | undefined {
  const shares = sharesOf(programme);
  return shares.length === 0
    ? undefined
    : Object.fromEntries(shares.map(({ salt }) => [salt, sharePart(salt, member)]));
}

/**
 * The names of the parts that the shares divide the members into, of those that the member is in: `spring 0-50`, or
 * `spring 50-100` for the members whom no benefit of that salt is for.
 */
export function shareGroupsOf(shares: readonly Share[], member: Whose): string[] {
  return [...new Set(shares.map(({ salt }) => salt))].map((salt) => {
    const part = sharePart(salt, member);
    const own = shares.filter((share) => share.salt === salt);
    const bounds = [0, SHARE_PARTS, ...own.flatMap(({ from, below }) => [from, below])];
    const from = Math.max(...bounds.filter((bound) => bound <= part));
    const below = Math.min(...bounds.filter((bound) => bound > part));
    return `${salt} ${from}-${below}`;
  });
}
