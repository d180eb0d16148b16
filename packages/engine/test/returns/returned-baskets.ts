import fc from 'fast-check';
import type { Random } from '../../../simulator/src/random.ts';
import { limitedUses } from '../../src/offers/limits.ts';
import { decideBasket } from '../../src/price.ts';
import { type PriceAsThen, pricedAsDecided } from '../../src/returns/priced.ts';
import { type SoldBasket, soldAsAnswered, soldAsSent } from '../../src/returns/sold-basket.ts';
import type { Member, Venue } from '../../src/types.ts';
import { arbitraryCase, type Case, GIFTS } from '../support/arbitrary.ts';
import { buildMember, buildVenue } from '../support/programme.ts';

/** Random sales and random returns of them in random portions. */

export interface RandomSale {
  readonly sold: SoldBasket;
  readonly price: PriceAsThen;
}

/** The same sales for the same seed. */
export function randomSales(seed: number, count: number): RandomSale[] {
  return fc.sample(arbitraryCase(4, 4), { seed, numRuns: count }).map(sell);
}

export function sell({ basket, benefits, policies }: Case): RandomSale {
  const venue = buildVenue([...benefits], policies, [...GIFTS]);
  const price = pricerOf(venue, buildMember());
  const { content, given } = price.decide(basket);
  const sold = content.status === 'applied' ? soldAsAnswered(basket, content, given()) : soldAsSent(basket);
  return { sold, price: price.asThen };
}

function pricerOf(venue: Venue, member: Member) {
  const decide = (basket: Case['basket']) => {
    const uses = limitedUses({ ...venue, currencies: [basket.currency] }, basket.requestedAt, member);
    const available = new Map(uses.map(({ usageKey, limit }) => [usageKey, limit]));
    return decideBasket({ basket, member, venue, available });
  };
  const asThen: PriceAsThen = (basket) => pricedAsDecided(basket, decide(basket));
  return { decide, asThen };
}

/** Splits everything that was sold into returns of random portions, in a random order. */
export function randomReturns({ lines }: SoldBasket, random: Random): { lineId: string; quantity: number }[][] {
  const portions = lines.flatMap(({ lineId, quantity }) =>
    portionsOf(quantity, random).map((portion) => ({ lineId, quantity: portion })),
  );
  for (let at = portions.length - 1; at > 0; at--) {
    const other = random.between(0, at);
    [portions[at], portions[other]] = [portions[other]!, portions[at]!];
  }
  const returns: { lineId: string; quantity: number }[][] = [];
  for (const portion of portions) {
    const last = returns.at(-1);
    const mayJoin = last && !last.some(({ lineId }) => lineId === portion.lineId);
    if (mayJoin && random.chance(0.3)) last.push(portion);
    else returns.push([portion]);
  }
  return returns;
}

/** Whole units of pieces, thousandths of what is weighed. */
function portionsOf(quantity: number, random: Random): number[] {
  const scale = Number.isInteger(quantity) ? 1 : 1_000;
  const portions: number[] = [];
  for (let left = Math.round(quantity * scale); left > 0; ) {
    const taken = random.between(1, left);
    portions.push(taken / scale);
    left -= taken;
  }
  return portions;
}
