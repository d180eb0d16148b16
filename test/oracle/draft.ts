/** What groups have taken of lines while every way is tried. */

import { sumOf } from './share.ts';
import { isSpread } from './spread.ts';
import type { Line, Offer, PricedBenefit, SettleRules } from './types.ts';

type BuyXGetY = Extract<PricedBenefit, { kind: 'buy_x_get_y' }>;

/** What groups have taken so far. A draft is never changed: every choice makes a new one. */
export interface Draft {
  readonly taken: ReadonlyMap<Line, ReadonlyMap<Offer, number>>;
  readonly bought: ReadonlyMap<Line, number>;
  /** Bought units that belong to their offers: no other line-level benefit takes them. */
  readonly apart: ReadonlyMap<Line, ReadonlyMap<Offer, number>>;
  readonly bundles: ReadonlyMap<Offer, number>;
}

export const NOTHING_TAKEN: Draft = { taken: new Map(), bought: new Map(), apart: new Map(), bundles: new Map() };

export interface GroupRules extends SettleRules {
  readonly lines: readonly Line[];
}

export function freeUnits(draft: Draft, line: Line): number {
  return line.units - takenUnits(draft, line) - (draft.bought.get(line) ?? 0);
}

export function apartUnits(draft: Draft, line: Line): number {
  return sumOf(draft.apart.get(line)?.values() ?? [], (units) => units);
}

/** The bought units of a line that share what their offers give (rule 19). */
export function sharingUnits(draft: Draft, line: Line, rules: SettleRules): ReadonlyMap<Offer, number> {
  const { noPercentageDiscount, existingLineDiscountAmount } = line.body;
  const mayShare =
    !noPercentageDiscount && (existingLineDiscountAmount === 0 || rules.existingLineDiscounts === 'stack');
  const bought = [...(draft.apart.get(line) ?? [])];
  // Of a unit with modifiers each line says so for itself.
  return new Map(mayShare || line.joined ? bought.filter(([offer]) => isSpread(offer)) : []);
}

export function takenUnits(draft: Draft, line: Line): number {
  return sumOf(draft.taken.get(line)?.values() ?? [], (units) => units);
}

export function take(draft: Draft, line: Line, offer: Offer, units: number): Draft {
  const before = draft.taken.get(line) ?? new Map<Offer, number>();
  const ofLine = new Map(before).set(offer, (before.get(offer) ?? 0) + units);
  return { ...draft, taken: new Map(draft.taken).set(line, ofLine) };
}

export function buy(draft: Draft, line: Line, offer: Offer, units: number): Draft {
  const bought = new Map(draft.bought).set(line, (draft.bought.get(line) ?? 0) + units);
  if (isCombinable(offer)) return { ...draft, bought };
  const before = draft.apart.get(line) ?? new Map<Offer, number>();
  return { ...draft, bought, apart: new Map(draft.apart).set(line, new Map(before).set(offer, units)) };
}

/** Whether a limit permits so many bundles; one by baskets permits any number. */
export function isWithinLimit({ benefit, items }: Offer, bundles: number): boolean {
  const { items: ofBundle } = benefit as Extract<PricedBenefit, { kind: 'bundle_price' }>;
  return bundles * sumOf(ofBundle, ({ quantity }) => quantity) <= items;
}

/** Units that are left of a limit by items which the offer shares with others that have taken units. */
export function sharedUnitsLeft(draft: Draft, { shared }: Offer): number {
  if (shared?.counts !== 'items') return Infinity;
  let left = shared.left;
  for (const taken of draft.taken.values()) {
    for (const [other, units] of taken) if (other.shared?.name === shared.name) left -= units;
  }
  return left;
}

export function isCombinable({ benefit }: Offer): boolean {
  return (benefit as BuyXGetY).buy.combinable ?? false;
}
