import type { Programme } from '../compile/programme.ts';
import { SHARE_PARTS, type Share, sharePart, type Whose } from '../conditions/share.ts';

/** The shares of members that a programme names (conditions/share.ts). */

/** The member's part under every salt of the programme, to be kept where the loyalty ID is not; undefined without one. */
export function sharePartsOf({ shares }: Pick<Programme, 'shares'>, member: Whose): Record<string, number> | undefined {
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
