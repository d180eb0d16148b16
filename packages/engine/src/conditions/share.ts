import { Type } from '@loyalty/contract/schema-type';
import { closed, Slug, whole } from '../compile/fields.ts';
import { isInShare, SHARE_PARTS, type Share } from '../offers/shares.ts';
import type { Condition } from './condition.ts';

/** `share`: the member is in this share of all members. */
export const share: Condition<Share, 'other_share'> = {
  schema: Type.Object({ from: whole(0, SHARE_PARTS - 1), below: whole(1, SHARE_PARTS), salt: Slug }, closed),
  label: 'share',
  unrestricted: 'every member',
  reason: 'other_share',
  compile: (written) => written,
  isMet: (own, { member }) => isInShare(own, member),
  words: () => ({ explanation: 'It is for another share of the members.' }),
};
