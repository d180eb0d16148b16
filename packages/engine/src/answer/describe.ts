import type { BasketRequest } from '@loyalty/contract/basket-request';
import { MAX_FOOTER_CHARACTERS } from '@loyalty/contract/limits';
import type { Programme } from '../compile/programme.ts';
import type { Expression } from '../compile/rule.ts';
import type { Outcome } from '../decide/outcome.ts';
import type { Offer, UnitOffer } from '../offers/offers.ts';
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

/** Numbers the benefits, and the ways in which they show on lines, as they come: so few that they are looked through. */
class EffectTable {
  readonly benefits: NamedBenefit[] = [];
  readonly effects: LineEffect[] = [];
  readonly #offers: Offer[] = [];
  /** The offer and the expression of each of `effects`. */
  readonly #shown: Pick<SettledPart, 'offer' | 'expression'>[] = [];

  benefitOf(offer: Offer): number {
    const known = this.#offers.indexOf(offer);
    if (known >= 0) return known;
    const { benefitId, text } = offer.benefit;
    this.benefits.push({ benefitId, text });
    return this.#offers.push(offer) - 1;
  }

  effectOf(offer: UnitOffer, expression: Expression): number {
    const known = this.#shown.findIndex((own) => own.offer === offer && own.expression === expression);
    if (known >= 0) return known;
    const { percentHundredths, overrideUnitPrice } = expression;
    this.effects.push({ benefit: this.benefitOf(offer), percentHundredths, overrideUnitPrice });
    return this.#shown.push({ offer, expression }) - 1;
  }
}

function describePart(part: SettledPart, effects: EffectTable): ChangedPart {
  const { line, units, offer, effectUnits, effect, expression, existing, allocations, isCleared } = part;
  return {
    line: line.index,
    cut: units === line.units ? undefined : { units, existing, allocations: allocations! },
    isCleared: isCleared || line.givenUp > 0,
    effect: offer && { effect: effects.effectOf(offer, expression), units: effectUnits, amount: effect },
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
    productId,
    productMasterId,
    productGroupId,
    ean,
    name,
    units,
    unitPrice,
    noDiscount,
    noPercentageDiscount,
  };
}

/** The order-level benefits in words for the bottom of the receipt (interface, section 2). */
function describeFooter(orders: readonly OrderEffect[]): string | undefined {
  const texts = orders.map(({ offer }) => offer.benefit.text).filter((text) => text !== undefined);
  const characters = [...texts.join(' · ')];
  const footer = characters.slice(0, MAX_FOOTER_CHARACTERS).join('');
  return footer === '' ? undefined : footer;
}
