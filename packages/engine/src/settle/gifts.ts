import type { BasketRequest } from '@loyalty/contract/basket-request';
import { type GiftRule, type LineRule, PLAIN_AMOUNT } from '../compile/rule.ts';
import type { LineFacts } from '../lines/lines.ts';
import { type Matches, WORD_MASK, WORD_SHIFT } from '../lines/matching.ts';
import { linesOf, type Selector } from '../lines/selector.ts';
import { isAt, type LineOffer, type Offer } from '../offers/offers.ts';
import type { Pool } from '../offers/pools.ts';
import type { Product, Venue } from '../types.ts';
import { COST, type Work } from '../work.ts';

/** Products that benefits give: added to the basket, or given there where the guest has rung them up already. */

/** A product that a benefit adds to the basket for nothing. */
export interface Gift {
  readonly offer: Offer;
  readonly product: Product;
  readonly units: number;
  /** The price of the units, in minor units. */
  readonly worth: number;
}

/** The price of all the products given, in minor units. */
export function worthOfGifts(gifts: readonly Gift[]): number {
  return gifts.reduce((sum, { worth }) => sum + worth, 0);
}

/** Every gift among the offers. A gift changes no line, so it stands in the way of nothing. */
export function collectGifts(offers: readonly Offer[], venue: Venue, basket: BasketRequest): Gift[] {
  const gifts: Gift[] = [];
  const dealt = offers.some(({ pool }) => pool?.counts === 'items') ? dealPools(offers, venue) : undefined;
  let total = basket.totals.originalTotal;
  for (const offer of offers) {
    const addition = isAt(offer, 'gift') ? offer.benefit.rule : offer.adds;
    if (!addition) continue;
    const product = venue.products.get(addition.productId);
    // The venue may have ruled out discounts on the product, and a product that costs nothing is no gift.
    if (!product || product.noDiscount || product.unitPrice === 0) continue;
    const units = dealt?.get(offer) ?? (offer.adds ? addition.quantity : Math.min(addition.quantity, offer.items));
    if (units === 0) continue;
    const worth = units * product.unitPrice;
    // A basket at the edge of what Money can hold takes no more.
    if (total + worth > Number.MAX_SAFE_INTEGER) continue;
    total += worth;
    gifts.push({ offer, product, units, worth });
  }
  return gifts;
}

/** Of a limit by items that gifts share the dearest products have their part first. */
function dealPools(offers: readonly Offer[], { products }: Venue): Map<Offer, number> {
  const priceOf = (productId: string): number => products.get(productId)?.unitPrice ?? 0;
  const sharing = offers.flatMap((offer) => (isAt(offer, 'gift') && offer.pool?.counts === 'items' ? offer : []));
  sharing.sort((a, b) => priceOf(b.benefit.rule.productId) - priceOf(a.benefit.rule.productId));
  const left = new Map<Pool, number>();
  const dealt = new Map<Offer, number>();
  for (const offer of sharing) {
    const pool = offer.pool!;
    const rest = left.get(pool) ?? pool.left;
    const product = products.get(offer.benefit.rule.productId);
    const units = product && !product.noDiscount ? Math.min(offer.benefit.rule.quantity, offer.items, rest) : 0;
    dealt.set(offer, units);
    left.set(pool, rest - units);
  }
  return dealt;
}

interface Placing {
  readonly basket: BasketRequest;
  readonly lines: readonly LineFacts[];
  readonly venue: Venue;
  readonly work: Work;
}

/**
 * The offers with those in the place of gifts that give units of lines: as many as were rung up of all that the gift has. Such
 * an offer competes for units like any other that is limited by items, and adds only what is beyond them.
 */
export function placeGifts(offers: readonly Offer[], { basket, lines, venue, work }: Placing): readonly Offer[] {
  if (!offers.some(({ benefit }) => benefit.rungUp)) return offers;
  const { outside } = venue.programme.selectorIndex;
  const isHidden = outside && linesOf(outside, basket.lines);
  // The sets of lines that have the products stand behind those of the selectors: both are found by their number.
  const [{ matches }] = offers as [Offer];
  const bits = [...matches.bits];
  const sets: Matches = { ...matches, bits };
  work.count(bits.length * COST.match);
  return offers.map((offer) => {
    const { rungUp } = offer.benefit;
    if (!rungUp || !isAt(offer, 'gift')) return offer;
    work.count(COST.list + lines.length * COST.listedLine);
    const isRungUp = linesOf(rungUp, basket.lines);
    const isBelow = matches.modified?.isAttached;
    const own = lines.filter(
      (line) => isRungUp[line.index] && !isHidden?.[line.index] && !isBelow?.[line.index] && mayBeGiven(line),
    );
    if (own.length === 0) return offer;
    const selector: Selector = { ...offer.benefit.selectors[0]!, id: addSet(bits, own, sets.words) };
    return giveInBasket(offer, own, selector, sets);
  });
}

/** Adds a set of lines behind the others and answers with its number. */
function addSet(bits: number[], own: readonly LineFacts[], words: number): number {
  const from = bits.length;
  for (let word = 0; word < words; word++) bits.push(0);
  for (const { index } of own) bits[from + (index >> WORD_SHIFT)]! |= 1 << (index & WORD_MASK);
  return from / words;
}

/** Goods that are not counted in units are no units of the product. */
function mayBeGiven({ isOpenToLineBenefits, isWeighed }: LineFacts): boolean {
  return isOpenToLineBenefits && !isWeighed;
}

/** The whole price of units. Its scale is asked only where nothing limits a rule by items. */
const WHOLE_PRICE: LineRule = {
  level: 'line',
  scale: 'whole price',
  strength: 1,
  expression: PLAIN_AMOUNT,
  effect: ({ unitPrice }, units) => units * unitPrice,
  extent: ({ unitPrice }) => ({ perUnit: unitPrice, once: 0 }),
  // The product is given, and what is on it keeps its price.
  together: ({ unit }, units) => units * unit!.lines[0]!.line.unitPrice,
};

function giveInBasket(
  offer: Offer<GiftRule>,
  own: readonly LineFacts[],
  selector: Selector,
  matches: Matches,
): LineOffer {
  const { benefit } = offer;
  const { productId, quantity } = benefit.rule;
  const all = Math.min(quantity, offer.items);
  let rungUp = 0;
  for (const { units } of own) rungUp += units;
  const items = Math.min(all, rungUp);
  return {
    ...offer,
    benefit: { ...benefit, level: 'line', rule: WHOLE_PRICE, selectors: [selector] },
    matches,
    items,
    adds: { productId, quantity: all - items },
  };
}
