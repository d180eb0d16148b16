/**
 * Every way in which sets and bundles can take units (packages/engine/README.md, rules 9 to 11). Bundles may take any units that their
 * items allow, sets any units that they may be cut of; who gives the cheapest draws first and has no choice.
 */
import { type Draft, freeUnits, type GroupRules, isWithinLimit, NOTHING_TAKEN, take } from './draft.ts';
import { cheapestDrafts, givesCheapest, setDrafts, takesCheapest } from './sets.ts';
import type { Line, Offer, PricedBenefit } from './types.ts';

type BundlePrice = Extract<PricedBenefit, { kind: 'bundle_price' }>;

/** Every draft that these offers permit, the empty one included. */
export function* groupDrafts(offers: readonly Offer[], rules: GroupRules): Generator<Draft> {
  const bundles = offers.filter(({ benefit }) => benefit.kind === 'bundle_price');
  const gives = inOrder(offers.filter(({ benefit }) => benefit.kind === 'buy_x_get_y'));
  const drawing = inOrder([...gives.filter(givesCheapest), ...offers.filter(takesCheapest)]);
  for (const drawn of cheapestDrafts(NOTHING_TAKEN, drawing, rules)) {
    const free = gives.filter((offer) => !givesCheapest(offer));
    for (const draft of bundleDrafts(drawn, bundles)) yield* setDrafts(draft, free, rules);
  }
}

/** Higher priority first, then by benefitId. */
function inOrder(offers: readonly Offer[]): Offer[] {
  return [...offers].sort(
    ({ benefit: a }, { benefit: b }) => (b.priority ?? 0) - (a.priority ?? 0) || (a.benefitId < b.benefitId ? -1 : 1),
  );
}

/** A line takes no line-level benefit when its existing discount is kept, and one that cannot be split takes one only. */
function mayTake(draft: Draft, line: Line, offer: Offer): boolean {
  if (!line.takesLineLevel) return false;
  const takers = [...(draft.taken.get(line)?.keys() ?? []), ...(draft.apart.get(line)?.keys() ?? [])];
  const others = takers.filter((other) => other !== offer);
  return line.isSplittable || others.length === 0;
}

function* bundleDrafts(draft: Draft, [offer, ...others]: readonly Offer[]): Generator<Draft> {
  if (!offer) {
    yield draft;
    return;
  }
  yield* bundleDrafts(draft, others);
  for (let count = 1; isWithinLimit(offer, count); count++) {
    const seen = new Set<string>();
    for (const taken of itemDrafts(draft, offer, count, 0)) {
      const units = [...taken.taken].map(([line, of]) => [line.position, of.get(offer) ?? 0] as const);
      const key = JSON.stringify(units.sort(([a], [b]) => a - b));
      if (seen.has(key)) continue;
      seen.add(key);
      yield* bundleDrafts({ ...taken, bundles: new Map(taken.bundles).set(offer, count) }, others);
    }
    if (seen.size === 0) return;
  }
}

/** Every way to take `count` × quantity units for each item from this one on. */
function* itemDrafts(draft: Draft, offer: Offer, count: number, item: number): Generator<Draft> {
  const entry = (offer.benefit as BundlePrice).items[item];
  if (!entry) {
    yield draft;
    return;
  }
  const lines = [...offer.eligible[item]!];
  for (const taken of spreadDrafts(draft, offer, lines, count * entry.quantity)) {
    yield* itemDrafts(taken, offer, count, item + 1);
  }
}

/** Every way to take so many units from these lines. */
function* spreadDrafts(
  draft: Draft,
  offer: Offer,
  [line, ...others]: readonly Line[],
  needed: number,
): Generator<Draft> {
  if (needed === 0) yield draft;
  if (needed === 0 || !line) return;
  yield* spreadDrafts(draft, offer, others, needed);
  if (!mayTake(draft, line, offer)) return;
  for (let units = 1; units <= Math.min(needed, freeUnits(draft, line)); units++) {
    yield* spreadDrafts(take(draft, line, offer, units), offer, others, needed - units);
  }
}
