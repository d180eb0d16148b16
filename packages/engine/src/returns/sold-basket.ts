import type { BasketLine, BasketRequest } from '@loyalty/contract/basket-request';
import { allocate } from '@loyalty/contract/money/allocate';
import { addQuantities, shareOf } from '@loyalty/contract/money/portion';
import { sum } from '@loyalty/contract/money/sum';
import type { AppliedContent } from '../answer/content.ts';
import { findOwnDiscounts, withoutOwnDiscounts } from '../answer/own-discounts.ts';
import { renderAnswer } from '../answer/render.ts';
import { type LineSelector, linesOf } from '../lines/selector.ts';
import type { GivenBenefit } from '../types.ts';
import { type GivenProduct, productsGiven } from './priced.ts';

/** A basket as it was sold: what each line of the receipt cost, and what of its price is owed to benefits. */
export interface SoldBasket {
  /** The basket as the till sent it, without order discounts of the service itself that came back with it. */
  readonly basket: BasketRequest;
  /** In the order of the receipt. */
  readonly lines: readonly SoldLine[];
  /** What each benefit gave in the whole basket. */
  readonly given: readonly GivenBenefit[];
}

/** A line of the receipt. Money in minor units. */
export interface SoldLine {
  readonly lineId: string;
  readonly quantity: number;
  /** True where pieces were sold, which come back whole; false of goods that are weighed. */
  readonly isCounted: boolean;
  /** Its `orderLinePrice` as it was sold. */
  readonly paid: number;
  /** What it cost as the till sent it, before any benefit; the price in the list of a product that the service added. */
  readonly withoutLoyalty: number;
  /** Index of its line in the basket that the till sent; undefined for a product that the service added. */
  readonly line: number | undefined;
  /** The product that the service added. */
  readonly gift: GivenProduct | undefined;
  /** The part of each benefit that lies on this line, in minor units; a benefit without a part is missing. */
  readonly saved: ReadonlyMap<string, number>;
}

/** The basket as the till sent it: a sale in which no benefit applied. `weighed` takes the lines that are not sold in pieces. */
export function soldAsSent(basket: BasketRequest, weighed?: LineSelector): SoldBasket {
  const isWeighed = weighed && linesOf(weighed, basket.lines);
  const lines = basket.lines.map(
    ({ lineId, quantity, orderLinePrice }, line): SoldLine => ({
      lineId,
      quantity,
      line,
      gift: undefined,
      saved: new Map(),
      isCounted: Number.isInteger(quantity) && !isWeighed?.[line],
      paid: orderLinePrice,
      withoutLoyalty: orderLinePrice,
    }),
  );
  return { basket, lines, given: [] };
}

/**
 * The basket as it was answered and sold. `given` is what each benefit gave; it is shared among the lines in proportion to
 * what the benefit takes off each of them, so that the shares sum to it exactly.
 */
export function soldAsAnswered(
  basket: BasketRequest,
  content: AppliedContent,
  given: readonly GivenBenefit[],
  weighed?: LineSelector,
): SoldBasket {
  const isWeighed = weighed && linesOf(weighed, basket.lines);
  const answer = renderAnswer(basket, content);
  if (answer.status !== 'applied') throw new Error('assertion failed: applied content makes an applied answer');
  const sent = withoutOwn(basket, content);
  const indexes = new Map(basket.lines.map(({ lineId }, index) => [lineId, index]));
  const cutBefore = new Map<number, number>();
  const shares = shareBenefits(content, answer.lines.length, given);
  const gifts = productsGiven(content);
  const firstGift = answer.lines.length - gifts.length;
  const lines = answer.lines.map((out, at): SoldLine => {
    const gift = gifts[at - firstGift];
    const line = gift ? undefined : indexes.get(out.splitFromLineId ?? out.lineId);
    const { lineId, quantity, orderLinePrice: paid } = out;
    const withoutLoyalty =
      line === undefined ? out.originalLinePrice : costOfPart(sent.lines[line]!, line, quantity, cutBefore);
    const isCounted = Number.isInteger(quantity) && !(line !== undefined && isWeighed?.[line]);
    return { lineId, quantity, isCounted, paid, withoutLoyalty, line, gift, saved: shares[at]! };
  });
  return { basket: sent, lines, given };
}

function withoutOwn(basket: BasketRequest, { discountCode }: AppliedContent): BasketRequest {
  const own = findOwnDiscounts(basket, discountCode);
  return own.length === 0 ? basket : withoutOwnDiscounts(basket, own);
}

/** What a part of a line cost as the till sent it. The parts of a line sum to its price. */
function costOfPart(line: BasketLine, index: number, quantity: number, before: Map<number, number>): number {
  const from = before.get(index) ?? 0;
  const to = addQuantities(from, quantity);
  before.set(index, to);
  return shareOf(line.orderLinePrice, to, line.quantity) - shareOf(line.orderLinePrice, from, line.quantity);
}

/** For every line of the answer the part of each benefit that lies on it. */
function shareBenefits(
  content: AppliedContent,
  count: number,
  given: readonly GivenBenefit[],
): readonly Map<string, number>[] {
  const places = placeParts(content, count);
  const shares = Array.from({ length: count }, () => new Map<string, number>());
  for (const [benefit, { benefitId }] of content.benefits.entries()) {
    const weights = places.map((place) => place.get(benefit) ?? 0);
    const saved = given.find((other) => other.benefitId === benefitId)?.saved ?? sum(weights);
    for (const [at, share] of allocate(saved, weights).entries())
      if (weights[at]! > 0) shares[at]!.set(benefitId, share);
  }
  return shares;
}

/** For every line of the answer what each benefit, by its index, takes off it. */
function placeParts({ parts, effects, orders, gifts }: AppliedContent, count: number): Map<number, number>[] {
  const places = Array.from({ length: count }, () => new Map<number, number>());
  const add = (at: number, benefit: number, amount: number): void => {
    if (amount > 0) places[at]!.set(benefit, (places[at]!.get(benefit) ?? 0) + amount);
  };
  const firstGift = count - gifts.length;
  let cuts = 0;
  for (const [at, { line, cut, effect }] of parts.entries()) {
    // A line that is cut has several parts, which stand where it stood.
    if (cut && parts[at - 1]?.line === line) cuts += 1;
    if (effect) add(line + cuts, effects[effect.effect]!.benefit, effect.amount);
  }
  for (const { benefit, shares } of orders) for (const [at, share] of shares.entries()) add(at, benefit, share);
  for (const [at, { benefit, units, unitPrice }] of gifts.entries()) add(firstGift + at, benefit, units * unitPrice);
  return places;
}
