/** A commit that keeps nothing beside its answer: no basket, no gifts, no units of limits over all members. */
export const NOTHING_KEPT = {
  common: { uses: [], lent: new Map<string, number>() },
  given: { programmeId: '', currency: '', benefits: [] },
  kept: Buffer.alloc(0),
};
