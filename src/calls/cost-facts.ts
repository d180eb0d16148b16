import type { Programme } from '../pricing/compile/programme.ts';
import type { Share } from '../pricing/compile/window.ts';
import { shareGroupsOf, sharesOf } from '../pricing/offers/shares.ts';
import type { Member } from '../pricing/types.ts';

/** What costs are counted by beside venue and benefit, noted with each answer: a member may be another one when the sale comes. */
export interface CostFacts {
  readonly tier?: string | undefined;
  /** The groups that the programme's shares divide members into: `spring 0-50`. */
  readonly share?: string;
}

/** Most programmes have none, and each call would look through all benefits for them. */
const sharesOfProgramme = new WeakMap<Programme, readonly Share[]>();

export function costFactsOf(programme: Programme, member: Member | undefined): CostFacts {
  if (!member) return {};
  let shares = sharesOfProgramme.get(programme);
  if (!shares) {
    shares = sharesOf(programme);
    sharesOfProgramme.set(programme, shares);
  }
  const { tier } = member;
  return shares.length === 0 ? { tier } : { tier, share: shareGroupsOf(shares, member).join(', ') };
}
