import { type GiftRule, type LineRule, PLAIN_AMOUNT } from '../compile/rule.ts';
import type { LineFacts } from '../lines/lines.ts';
import { linesOf, type Matches, WORD_MASK, WORD_SHIFT } from '../lines/matching.ts';
import type { Selector } from '../lines/selector.ts';
import { isAt, type LineOffer, type Offer } from '../offers/offers.ts';
import type { DecisionInput } from '../selection.ts';
import { COST } from '../work.ts';

/** Gifts that the guest has rung up already: given there instead of added. */

/**
 * The offers with those in the place of gifts that give units of lines: as many as were rung up of all that the gift has. Such
 * an offer competes for units like any other that is limited by items, and adds only what is beyond them.
 */
export function placeGifts(
  offers: readonly Offer[],
  { basket, lines, venue, work }: Pick<DecisionInput, 'basket' | 'lines' | 'venue' | 'work'>,
): readonly Offer[] {
  if (!offers.some(({ benefit }) => benefit.rungUp)) return offers;
  const { outside } = venue.programme.selectorIndex;
  const isHidden = outside && linesOf(outside, basket.lines);
  // The sets of lines that have the products stand behind those of the selectors.
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
    const selector: Selector = { ...OWN_LINES, id: addSet(bits, own, sets.words) };
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
  extent: ({ unitPrice }) => ({ perUnit: unitPrice, once: 0, isRounded: false }),
  // The product is given, and what is on it keeps its price.
  together: ({ unit }, units) => units * unit!.lines[0]!.line.unitPrice,
};

/** The selector of the lines that have the product, but for its number. */
const OWN_LINES: Omit<Selector, 'id'> = {
  excluded: [],
  isPercentage: false,
  namesEverything: false,
  isOfUnits: true,
  description: 'the product given',
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
