import type { BasketRequest } from '../../contract/basket-request.ts';
import { MAX_FOOTER_CHARACTERS } from '../../contract/limits.ts';
import type { Programme } from '../compile/programme.ts';
import type { Outcome } from '../decide/outcome.ts';
import type { Offer } from '../offers/offers.ts';
import type { Gift } from '../settle/gifts.ts';
import type { OrderEffect } from '../settle/order-discounts.ts';
import type { SettledPart } from '../settle/settled-part.ts';
import type {
  AddedOrderDiscount,
  AddedProduct,
  AppliedContent,
  ChangedPart,
  LineEffect,
  NamedBenefit,
} from './content.ts';

/** Describes an outcome as the content of an answer; answer/render.ts makes the answer of it. */
export function describeOutcome(
  basket: BasketRequest,
  { parts, orders, gifts, standing }: Outcome,
  { discountCode }: Programme,
  memberLabel: string | undefined,
): AppliedContent {
  const effects = new EffectTable();
  const changed: ChangedPart[] = [];
  for (const part of parts) {
    if (part.offer || part.isCleared || part.line.givenUp > 0 || part.units !== part.line.units)
      changed.push(describePart(part, effects));
  }
  const removed: number[] = [];
  if (standing.removed) {
    for (const [index, { orderDiscountId }] of basket.orderDiscounts.entries()) {
      if (standing.removed.has(orderDiscountId)) removed.push(index);
    }
  }
  return {
    status: 'applied',
    memberLabel,
    receiptFooterText: describeFooter(orders),
    discountCode,
    parts: changed,
    removedOrderDiscounts: removed,
    orders: orders.map((order) => describeOrder(order, effects)),
    gifts: gifts.map((gift) => describeGift(gift, effects)),
    benefits: effects.benefits,
    effects: effects.effects,
  };
}

/** Numbers the benefits, and the ways in which they show on lines, as they come. */
class EffectTable {
  readonly benefits: NamedBenefit[] = [];
  readonly effects: LineEffect[] = [];
  /** The offers of `benefits`; so few that looking through them is cheaper than a map. */
  readonly #offers: Offer[] = [];
  /** Most parts have the effect of the part before them. */
  #lastOffer: Offer | undefined;
  #last = -1;

  benefitOf(offer: Offer): number {
    const known = this.#offers.indexOf(offer);
    if (known >= 0) return known;
    const { benefitId, text } = offer.benefit;
    this.benefits.push({ benefitId, text });
    return this.#offers.push(offer) - 1;
  }

  effectOf(offer: Offer, { expression: { percentHundredths, overrideUnitPrice } }: SettledPart): number {
    const last = this.effects[this.#last];
    if (
      offer === this.#lastOffer &&
      last?.percentHundredths === percentHundredths &&
      last?.overrideUnitPrice === overrideUnitPrice
    ) {
      return this.#last;
    }
    const known = this.benefits.length;
    const benefit = this.benefitOf(offer);
    const isNew = benefit === known;
    let index = isNew
      ? -1
      : this.effects.findIndex(
          (effect) =>
            effect.benefit === benefit &&
            effect.percentHundredths === percentHundredths &&
            effect.overrideUnitPrice === overrideUnitPrice,
        );
    if (index < 0) index = this.effects.push({ benefit, percentHundredths, overrideUnitPrice }) - 1;
    [this.#lastOffer, this.#last] = [offer, index];
    return index;
  }
}

function describePart(part: SettledPart, effects: EffectTable): ChangedPart {
  const { line, units, offer, effectUnits, effect, existing, allocations, isCleared } = part;
  return {
    line: line.index,
    cut: units === line.units ? undefined : { units, existing, allocations: allocations ?? [] },
    isCleared: isCleared || line.givenUp > 0,
    effect: offer && { effect: effects.effectOf(offer, part), units: effectUnits, amount: effect },
  };
}

function describeOrder({ offer, amount, isCut, shares }: OrderEffect, effects: EffectTable): AddedOrderDiscount {
  const { percentHundredths } = offer.benefit.rule;
  return {
    benefit: effects.benefitOf(offer),
    amount,
    percentHundredths: isCut ? undefined : percentHundredths,
    shares,
  };
}

function describeGift({ offer, product, units }: Gift, effects: EffectTable): AddedProduct {
  const { productId, productMasterId, productGroupId, ean, name, unitPrice, noDiscount, noPercentageDiscount } =
    product;
  return {
    benefit: effects.benefitOf(offer),
    ...{ productId, productMasterId, productGroupId, ean, name },
    ...{ units, unitPrice, noDiscount, noPercentageDiscount },
  };
}

/** The order-level benefits in words for the bottom of the receipt (interface, section 2). */
function describeFooter(orders: readonly OrderEffect[]): string | undefined {
  if (orders.length === 0) return undefined;
  const texts = orders.map(({ offer }) => offer.benefit.text).filter((text) => text !== undefined);
  const characters = [...texts.join(' · ')];
  const footer = characters.slice(0, MAX_FOOTER_CHARACTERS).join('');
  return footer === '' ? undefined : footer;
}
