import type { LimitedUse } from '@loyalty/engine/types';

/**
 * What is left of every limit in units, or in minor units of money: all of it, except where one of `texts` says `name=n`. The name
 * is that of a benefit (all its limits), of a shared limit, of a grant (`benefitId/grantId`), or of one limit as its counter is
 * called: `coffee#items`, `coffee$NOK`, `coffee~programme`, with or without the period behind a colon. Throws for any other text.
 */
export function availableUnits(uses: readonly LimitedUse[], texts: readonly string[]): Map<string, number> {
  const available = new Map(uses.map(({ usageKey, limit }) => [usageKey, limit]));
  for (const text of texts) {
    const [, name = '', units] = /^(.+)=(\d+)$/.exec(text) ?? [];
    const meant = uses.filter((use) => namesOf(use).includes(name));
    if (units === undefined || meant.length === 0) {
      const known = [...new Set(uses.map((use) => namesOf(use)[0]))].join(', ') || 'none';
      throw new Error(`--left ${text}: benefitId=n is expected, with one of the limited benefits (${known})`);
    }
    for (const { usageKey, limit } of meant) available.set(usageKey, Math.min(Number(units), limit));
  }
  return available;
}

/** The names of a counter (packages/engine/src/offers/limits.ts), the shortest one first. */
function namesOf({ usageKey, benefitId }: LimitedUse): string[] {
  const counter = usageKey.slice(0, usageKey.lastIndexOf(':'));
  // A voucher has its own counter beside the limits of its benefit.
  if (counter.includes('/')) return [counter, usageKey];
  const owner = counter.replace(/[#$~].*$/, '').replace(/^@/, '');
  return [owner, benefitId, counter, usageKey];
}
