import type { Programme } from '@loyalty/engine/compile/programme';
import { shareGroupsOf } from '@loyalty/engine/offers/shares';
import type { Member } from '@loyalty/engine/types';

/** What costs are counted by beside venue and benefit, noted with each answer: a member may be another one when the sale comes. */
export interface CostFacts {
  readonly tier?: string | undefined;
  /** The groups that the programme's shares divide members into: `spring 0-50`. */
  readonly share?: string;
}

export function costFactsOf(programme: Programme, member: Member | undefined): CostFacts {
  if (!member) return {};
  const shares = programme.shares;
  const { tier } = member;
  return shares.length === 0 ? { tier } : { tier, share: shareGroupsOf(shares, member).join(', ') };
}
