import { Type } from '@loyalty/contract/schema-type';
import { closed, Slug, whole } from '../compile/fields.ts';
import type { Circumstances, Condition } from './condition.ts';

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

export type Whose = Pick<Circumstances['member'], 'programmeId' | 'loyaltyId' | 'shareParts'>;

/** True when the member belongs to the share. */
export function isInShare({ from, below, salt }: Share, member: Whose): boolean {
  const part = sharePart(salt, member);
  return part >= from && part < below;
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

/** `share`: the member is in this share of all members. */
export const share: Condition<Share> = {
  schema: Type.Object({ from: whole(0, SHARE_PARTS - 1), below: whole(1, SHARE_PARTS), salt: Slug }, closed),
  label: 'share',
  unrestricted: 'every member',
  reason: 'other_share',
  compile: (written) => written,
  isMet: (own, { member }) => isInShare(own, member),
  words: () => ({ explanation: 'It is for another share of the members.' }),
};
