import type { BuyGetRule } from '../compile/rule.ts';
import { effectAlone } from '../offers/modified-line.ts';
import { type BuyGetOffer, type DrawingOffer, discountableLines, isAt, type LineOffer } from '../offers/offers.ts';
import type { Pool } from '../offers/pools.ts';
import type { LineTakes, Take } from '../settle/split.ts';
import type { Problem } from './problem.ts';
import { mostGiven, netSavingOf, type SetLines, type SetsOf } from './sets.ts';

/** What was drawn of a line before all others choose. */
export interface Drawn extends LineTakes {
  readonly taken: readonly Take<DrawingOffer>[];
  readonly combinable: readonly Take<BuyGetOffer>[];
}

/** Offers that give the cheapest units (`pick: cheapest`): they draw before all others are chosen, as if they were alone. */
export function drawCheapest(offers: readonly DrawingOffer[], sets: SetsOf, { lines, policy }: Problem): Drawn[] {
  const drawn: Drawn[] = lines.map(() => ({ taken: [], bought: [], rest: undefined, combinable: [] }));
  const gone = lines.map(() => 0);
  const itemsOf = new Map<Pool, number>();
  for (const offer of offers) {
    const { pool } = offer;
    if (isAt(offer, 'line')) {
      const left = pool?.counts === 'items' ? (itemsOf.get(pool) ?? pool.left) : Number.POSITIVE_INFINITY;
      const took = drawUnits(offer, Math.min(offer.items, left), lines, policy, drawn, gone);
      if (pool) itemsOf.set(pool, left - took);
      continue;
    }
    const { rule } = offer.benefit;
    const set = sets(offer);
    const isFree = (i: number): boolean =>
      lines[i]!.isSplittable || [...drawn[i]!.taken, ...drawn[i]!.bought].length === 0;
    const buys = (i: number): boolean => set.fitsBuy[i]! && (rule.sharesBought || isFree(i));
    const gives = (i: number): boolean => set.fitsGet[i]! && isFree(i);
    const freeOf = (i: number): number => lines[i]!.units - gone[i]!;
    const order = orderOf(set, lines.length, lines, policy);
    const left = pool?.counts === 'items' ? (itemsOf.get(pool) ?? pool.left) : Number.POSITIVE_INFINITY;
    let [buyable, giveable, onlyGiven] = [0, 0, 0];
    for (let i = 0; i < lines.length; i++) {
      if (buys(i)) buyable += freeOf(i);
      if (gives(i)) giveable += freeOf(i);
      if (gives(i) && !buys(i)) onlyGiven += freeOf(i);
    }
    // Both halves have enough units: the dearest are bought, and of the given ones enough are left to buy.
    let toGive = unitsToGive(rule, buyable, Math.min(giveable, offer.items, left), buyable + onlyGiven);
    let toBuy = Math.ceil(toGive / rule.getQuantity) * rule.buyQuantity;
    let spare = buyable - toBuy;
    if (pool) itemsOf.set(pool, left - toGive);
    const given = new Map<number, number>();
    for (const line of order.toReversed()) {
      if (!gives(line)) continue;
      const units = Math.min(toGive, freeOf(line), buys(line) ? spare : Number.POSITIVE_INFINITY);
      if (buys(line)) spare -= units;
      given.set(line, units);
      toGive -= units;
    }
    const bought = new Map<number, number>();
    for (const line of order) {
      if (!buys(line)) continue;
      const units = Math.min(toBuy, freeOf(line) - (given.get(line) ?? 0));
      bought.set(line, units);
      toBuy -= units;
    }
    for (const [line, units] of given) add(drawn, gone, line, 'taken', { offer, line, units });
    for (const [line, units] of bought)
      add(drawn, gone, line, rule.sharesBought ? 'combinable' : 'bought', { offer, line, units });
  }
  return drawn;
}

/** The most units that sets give, of so many that may be bought, that may be given, and of both together. */
function unitsToGive(rule: BuyGetRule, buyable: number, giveable: number, together: number): number {
  const { buyQuantity, getQuantity } = rule;
  const full = Math.min(
    Math.floor(buyable / buyQuantity),
    Math.floor(giveable / getQuantity),
    Math.floor(together / (buyQuantity + getQuantity)),
  );
  if (buyable < (full + 1) * buyQuantity) return full * getQuantity;
  const left = Math.min(giveable - full * getQuantity, together - full * getQuantity - (full + 1) * buyQuantity);
  return mostGiven(rule, full * getQuantity + Math.max(0, Math.min(left, getQuantity - 1)));
}

function add(
  drawn: Drawn[],
  gone: number[],
  line: number,
  where: 'taken' | 'bought' | 'combinable',
  take: Take<DrawingOffer>,
): void {
  if (take.units === 0) return;
  drawn[line] = { ...drawn[line]!, [where]: [...drawn[line]![where], take] };
  gone[line]! += take.units;
}

/** All lines of the offer, the dearest units first, of one price those of the smaller net saving. */
function orderOf(set: SetLines, count: number, lines: Problem['lines'], policy: Problem['policy']): number[] {
  const own = Array.from({ length: count }, (_, i) => i).filter((i) => set.fitsBuy[i] || set.fitsGet[i]);
  const savings = new Map(own.map((i) => [i, netSavingOf(lines[i]!, set.offer.benefit.rule, policy)]));
  return own.sort((a, b) => lines[b]!.unitPrice - lines[a]!.unitPrice || savings.get(a)! - savings.get(b)! || a - b);
}

/** Draws the cheapest units that have an effect, of one price those that save more, then by position; answers with how many. */
function drawUnits(
  offer: LineOffer,
  most: number,
  lines: Problem['lines'],
  policy: Problem['policy'],
  drawn: Drawn[],
  gone: number[],
): number {
  const replaces = policy === 'replace_if_larger';
  const own = discountableLines(offer, 0, lines).flatMap((i) => {
    const line = lines[i]!;
    const { effect, existing } = effectAlone(offer.benefit.rule, offer.benefit.selectors[0]!.isPercentage, line);
    const replaced = replaces ? existing : 0;
    if (effect <= 0 || effect * line.units <= replaced) return [];
    return { i, price: line.unitPrice, saving: Math.min(effect, line.room / line.units) - replaced / line.units };
  });
  own.sort((a, b) => a.price - b.price || b.saving - a.saving || a.i - b.i);
  let left = most;
  for (const { i } of own) {
    const line = lines[i]!;
    const { taken, bought } = drawn[i]!;
    if (!line.isSplittable && taken.length + bought.length > 0) continue;
    const units = Math.min(left, line.units - gone[i]!);
    add(drawn, gone, i, 'taken', { offer, line: i, units });
    left -= units;
  }
  return most === Number.POSITIVE_INFINITY ? 0 : most - left;
}
