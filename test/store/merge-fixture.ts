import { memberToken } from '../../src/store/keys.ts';
import type { StoredMember } from '../../src/store/members.ts';
import { mergeMembers } from '../../src/store/merge.ts';
import { resolveMerged } from '../../src/store/merged.ts';
import type { useFixture } from './fixture.ts';

/** Three members of one programme who are merged into each other, and what they use. */
export const CLUB = 'coffee-club';
export const anna: StoredMember = { programmeId: CLUB, loyaltyId: 'anna', status: 'active', grants: ['tea', 'cake'] };
export const berit: StoredMember = { ...anna, loyaltyId: 'berit', tier: 'gold', grants: ['cake'] };
export const CARL = memberToken(CLUB, 'carl');
export const carl: StoredMember = { ...anna, loyaltyId: 'carl', grants: [] };
export const COFFEE = [{ usageKey: 'coffee:*', units: 1, limit: 9 }];

/** Merges in the store of the fixture, and asks by which loyalty ID a member goes. */
export function mergesIn(fixture: ReturnType<typeof useFixture>) {
  return {
    merge: (oldId: string, newId: string) => mergeMembers(fixture.store, CLUB, oldId, newId),
    resolve: (loyaltyId: string) => resolveMerged(fixture.store, CLUB, loyaltyId),
  };
}
