/**
 * Every way in which groups can take units (src/pricing/README.md, rule 9). Bundles may take any units that their items
 * allow; `buy_x_get_y` has no choice but how often it is applied.
 */
import { percentageOf, sumOf } from './share.ts';
import type { Line, Offer, PricedBenefit } from './types.ts';

type BuyXGetY = Extract<PricedBenefit, { kind: 'buy_x_get_y' }>;
type BundlePrice = Extract<PricedBenefit, { kind: 'bundle_price' }>;

/** What groups have taken so far. A draft is never changed: every choice makes a new one. */
export interface Draft {
  readonly taken: ReadonlyMap<Line, ReadonlyMap<Offer, number>>;
  readonly bought: ReadonlyMap<Line, number>;
  readonly bundles: ReadonlyMap<Offer, number>;
}

const NOTHING_TAKEN: Draft = { taken: new Map(), bought: new Map(), bundles: new Map() };

export interface GroupRules {
  readonly lines: readonly Line[];
  readonly replacesIfLarger: boolean;
}

/** Every draft that these offers permit, the empty one included. */
export function* groupDrafts(offers: readonly Offer[], rules: GroupRules): Generator<Draft> {
  const bundles = offers.filter(({ benefit }) => benefit.kind === 'bundle_price');
  const gives = inOrder(offers.filter(({ benefit }) => benefit.kind === 'buy_x_get_y'));
  for (const draft of bundleDrafts(NOTHING_TAKEN, bundles)) yield* giveDrafts(draft, gives, rules);
}

/** Higher priority first, then by benefitId. */
function inOrder(offers: readonly Offer[]): Offer[] {
  return [...offers].sort(
    ({ benefit: a }, { benefit: b }) => (b.priority ?? 0) - (a.priority ?? 0) || (a.benefitId < b.benefitId ? -1 : 1),
  );
}

function freeUnits(draft: Draft, line: Line): number {
  return line.units - takenUnits(draft, line) - (draft.bought.get(line) ?? 0);
}

export function takenUnits(draft: Draft, line: Line): number {
  return sumOf(draft.taken.get(line)?.values() ?? [], (units) => units);
}

/** A line takes no line-level benefit when its existing discount is kept, and one that cannot be split takes one only. */
function mayTake(draft: Draft, line: Line, offer: Offer): boolean {
  if (!line.takesLineLevel) return false;
  const others = [...(draft.taken.get(line)?.keys() ?? [])].filter((other) => other !== offer);
  return line.isSplittable || others.length === 0;
}

function take(draft: Draft, line: Line, offer: Offer, units: number): Draft {
  const before = draft.taken.get(line) ?? new Map<Offer, number>();
  const ofLine = new Map(before).set(offer, (before.get(offer) ?? 0) + units);
  return { ...draft, taken: new Map(draft.taken).set(line, ofLine) };
}

function buy(draft: Draft, line: Line, units: number): Draft {
  return { ...draft, bought: new Map(draft.bought).set(line, (draft.bought.get(line) ?? 0) + units) };
}

/** The units that one application spends of a limit by items. */
function itemsPerApplication({ benefit }: Offer): number {
  if (benefit.kind === 'bundle_price') return sumOf(benefit.items, ({ quantity }) => quantity);
  return benefit.kind === 'buy_x_get_y' ? benefit.get.quantity : 0;
}

/** Whether a limit permits so many applications; one by baskets permits any number. */
function isWithinLimit(offer: Offer, applications: number): boolean {
  return applications * itemsPerApplication(offer) <= offer.items;
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

function* giveDrafts(draft: Draft, [offer, ...others]: readonly Offer[], rules: GroupRules): Generator<Draft> {
  if (!offer) {
    yield draft;
    return;
  }
  yield* giveDrafts(draft, others, rules);
  for (let times = 1; isWithinLimit(offer, times); times++) {
    const given = giveTimes(draft, offer, times, rules);
    if (!given) return;
    yield* giveDrafts(given, others, rules);
  }
}

/** The one way to apply the benefit so many times, or undefined when there are not enough units. */
function giveTimes(
  draft: Draft,
  offer: Offer,
  times: number,
  { lines, replacesIfLarger }: GroupRules,
): Draft | undefined {
  const { buy: bought, get } = offer.benefit as BuyXGetY;
  const [mayBuy, mayGive] = offer.eligible as [ReadonlySet<Line>, ReadonlySet<Line>];
  const toBuy = times * bought.quantity;
  let buyable = sumOf(mayBuy, (line) => freeUnits(draft, line));
  let toGive = times * get.quantity;
  let result = draft;
  const cheapestFirst = [...lines].sort((a, b) => a.price - b.price || a.position - b.position);
  for (const line of cheapestFirst) {
    if (!mayGive.has(line) || !mayTake(draft, line, offer)) continue;
    const perUnit = percentageOf(line.price, get.percent ?? 100);
    const { existingLineDiscountAmount } = line.body;
    if (perUnit === 0 || (replacesIfLarger && perUnit * line.units <= existingLineDiscountAmount)) continue;
    const spare = mayBuy.has(line) ? buyable - toBuy : Infinity;
    const units = Math.max(0, Math.min(toGive, freeUnits(draft, line), spare));
    if (units === 0) continue;
    result = take(result, line, offer, units);
    toGive -= units;
    if (mayBuy.has(line)) buyable -= units;
  }
  if (toGive > 0 || buyable < toBuy) return undefined;
  let left = toBuy;
  const dearestFirst = [...lines].sort((a, b) => b.price - a.price || a.position - b.position);
  for (const line of dearestFirst) {
    if (!mayBuy.has(line)) continue;
    const units = Math.min(left, freeUnits(result, line));
    if (units > 0) result = buy(result, line, units);
    left -= units;
  }
  return result;
}
