import type { Programme } from '../compile/programme.ts';
import type { Member } from '../types.ts';

/**
 * Shares of members, for campaigns that half of them see. A hash of salt, programme and loyalty ID puts each member into one
 * of a hundred parts of equal size: the same part on every day and in every process.
 */

export const SHARE_PARTS = 100;

/** The members whose part of a hundred under the salt is at least `from` and below `below`. */
export interface Share {
  readonly from: number;
  readonly below: number;
  readonly salt: string;
}

type Whose = Pick<Member, 'programmeId' | 'loyaltyId' | 'shareParts'>;

/** True when the member belongs to the share. */
export function isInShare(share: Share, member: Whose): boolean {
  const part = sharePart(share.salt, member);
  return part >= share.from && part < share.below;
}

/** The part of a member under a salt, from 0 to 99. */
export function sharePart(salt: string, { programmeId, loyaltyId, shareParts }: Whose): number {
  return shareParts?.[salt] ?? hash(`${salt}\u0000${programmeId}\u0000${loyaltyId}`) % SHARE_PARTS;
}

const SEED = 0x9747b28c;
const FIRST = 0xcc9e2d51;
const SECOND = 0x1b873593;
const STEP = 0xe6546b64;

/**
 * MurmurHash3 of the UTF-16 code units, 32 bits. Every bit of the salt changes every bit of the result, so two salts are
 * independent; a plain multiplicative hash keeps members together that differ in their last characters.
 */
function hash(text: string): number {
  let state = SEED;
  for (let at = 0; at < text.length; at += 1) {
    const unit = Math.imul(text.charCodeAt(at), FIRST);
    state ^= Math.imul((unit << 15) | (unit >>> 17), SECOND);
    state = (Math.imul((state << 13) | (state >>> 19), 5) + STEP) | 0;
  }
  state ^= text.length;
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return (state ^ (state >>> 16)) >>> 0;
}

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
