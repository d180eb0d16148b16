import type { BuyGetOffer } from '../offers/offers.ts';
import type { LineTakes, Take } from '../settle/split.ts';
import type { Problem } from './problem.ts';
import { netSavingOf, type SetLines, type SetsOf } from './sets.ts';

/** Offers that give the cheapest units (`pick: cheapest`): they draw before all others are chosen, as if they were alone. */
export function drawCheapest(
  offers: readonly BuyGetOffer[],
  sets: SetsOf,
  { lines, policy }: Problem,
): LineTakes[] | undefined {
  if (offers.length === 0) return undefined;
  const drawn: LineTakes[] = lines.map(() => ({ taken: [], bought: [], rest: undefined, combinable: [] }));
  const gone = lines.map(() => 0);
  const left = new Map(offers.flatMap(({ pool }) => (pool?.counts === 'items' ? [[pool, pool.left]] : [])));
  for (const offer of offers) {
    const { rule } = offer.benefit;
    const set = sets(offer);
    const isFree = (i: number): boolean =>
      lines[i]!.isSplittable || [...drawn[i]!.taken, ...drawn[i]!.bought].length === 0;
    const buys = (i: number): boolean => set.fitsBuy[i]! && (rule.sharesBought || isFree(i));
    const gives = (i: number): boolean => set.fitsGet[i]! && isFree(i);
    const freeOf = (i: number): number => lines[i]!.units - gone[i]!;
    const order = orderOf(set, lines.length, lines, policy);
    const most = Math.min(
      offer.items,
      offer.pool?.counts === 'items' ? left.get(offer.pool)! : Number.POSITIVE_INFINITY,
    );
    let [buyable, giveable, onlyGiven] = [0, 0, 0];
    for (let i = 0; i < lines.length; i++) {
      if (buys(i)) buyable += freeOf(i);
      if (gives(i)) giveable += freeOf(i);
      if (gives(i) && !buys(i)) onlyGiven += freeOf(i);
    }
    const times = Math.min(
      Math.floor(buyable / rule.buyQuantity),
      Math.floor(giveable / rule.getQuantity),
      Math.floor((buyable + onlyGiven) / (rule.buyQuantity + rule.getQuantity)),
      Math.floor(most / rule.getQuantity),
    );
    if (times <= 0) continue;
    const own: { readonly given: Map<number, number>; readonly bought: Map<number, number> } = {
      given: new Map(),
      bought: new Map(),
    };
    let spare = buyable - times * rule.buyQuantity;
    let wanted = times * rule.getQuantity;
    for (const i of order.toReversed()) {
      if (wanted === 0) break;
      if (!gives(i)) continue;
      const units = Math.min(wanted, freeOf(i), buys(i) ? spare : Number.POSITIVE_INFINITY);
      if (units <= 0) continue;
      if (buys(i)) spare -= units;
      own.given.set(i, units);
      wanted -= units;
    }
    if (wanted > 0) continue;
    let missing = times * rule.buyQuantity;
    for (const i of order) {
      if (missing === 0) break;
      if (!buys(i)) continue;
      const units = Math.min(missing, freeOf(i) - (own.given.get(i) ?? 0));
      if (units <= 0) continue;
      own.bought.set(i, units);
      missing -= units;
    }
    if (missing > 0) continue;
    for (const [line, units] of own.given) add(drawn, gone, line, 'taken', { offer, line, units });
    for (const [line, units] of own.bought)
      add(drawn, gone, line, rule.sharesBought ? 'combinable' : 'bought', { offer, line, units });
    if (offer.pool?.counts === 'items') left.set(offer.pool, left.get(offer.pool)! - times * rule.getQuantity);
  }
  return drawn;
}

function add(
  drawn: LineTakes[],
  gone: number[],
  line: number,
  where: 'taken' | 'bought' | 'combinable',
  take: Take<BuyGetOffer>,
): void {
  drawn[line] = { ...drawn[line]!, [where]: [...(drawn[line]![where] ?? []), take] };
  gone[line]! += take.units;
}

/** All lines of the offer, the dearest units first, of one price those of the smaller net saving. */
function orderOf(set: SetLines, count: number, lines: Problem['lines'], policy: Problem['policy']): number[] {
  const own = Array.from({ length: count }, (_, i) => i).filter((i) => set.fitsBuy[i] || set.fitsGet[i]);
  const savings = new Map(own.map((i) => [i, netSavingOf(lines[i]!, set.offer.benefit.rule, policy)]));
  return own.sort((a, b) => lines[b]!.unitPrice - lines[a]!.unitPrice || savings.get(a)! - savings.get(b)! || a - b);
}
