import { kindOf } from '@loyalty/engine/benefits/register';
import { currenciesOf, inCurrency } from '@loyalty/engine/compile/amounts';
import type { RuleAt } from '@loyalty/engine/compile/rule';
import type { BenefitDefinition } from '@loyalty/engine/definition';
import { readLines } from '@loyalty/engine/lines/lines';
import { makeLine } from '../made-up-basket.ts';
import type { VenueEntry } from '../schema.ts';
import { selects } from '../selectors.ts';
import type { WrittenBenefit } from '../written-benefit.ts';
import { amountIn, isReward, ofBenefit, type Product } from './advice.ts';

/** Benefits that can take over 90 % off: a product of a venue's list, or whatever is sold. Mostly a decimal point or a unit went wrong. */

const USUAL_PERCENT = 90;
const TOLD = `can take over ${USUAL_PERCENT} % off`;

/**
 * Once per benefit, of the product that loses the greatest share, or of what the file says where no venue lists a product that
 * qualifies. A product that is given away is meant to be free.
 */
export const excessiveBenefit = ofBenefit('', (benefit, { isHidden }, own) => {
  // The tenth coffee of a stamp card is free because it was meant to be.
  if (isReward(benefit)) return undefined;
  let worst: { readonly percent: number; readonly text: string } | undefined;
  const written: string[] = [];
  for (const venue of own.venues) {
    const sold = (venue.products ?? []).filter((product) => isFor(own, product));
    if (sold.length === 0)
      written.push(...venue.currencies.flatMap((currency) => writtenLoss(benefit, currency) ?? []));
    for (const product of sold) {
      const loss = isHidden(product) ? undefined : lossOf(own, product, venue);
      if (!loss || loss.price <= 0) continue;
      const percent = (loss.taken / loss.price) * 100;
      if (percent <= USUAL_PERCENT || (worst && percent <= worst.percent)) continue;
      const subject = `${product.productId} ${product.name} at ${venue.venueId}`;
      worst = { percent, text: `${TOLD}: ${loss.taken} of ${loss.price}, ${subject}` };
    }
  }
  return worst?.text ?? written[0];
});

function isFor({ selectors }: WrittenBenefit, product: Product): boolean {
  return selectors.some(([, selector]) => selects(selector, product));
}

/** The words for a share of the price that is too large whatever the products cost. With a cap it depends on what they cost. */
function writtenLoss(benefit: BenefitDefinition, currency: string): string | undefined {
  if (amountIn(benefit.maximumDiscount, currency) !== undefined) return undefined;
  if (benefit.kind === 'order_amount') {
    const { amount: given, perSpend: spend } = benefit;
    const [amount = 0, perSpend = Number.POSITIVE_INFINITY] = [amountIn(given, currency), amountIn(spend, currency)];
    const isMore = amount > (perSpend * USUAL_PERCENT) / 100;
    return isMore ? `${TOLD}: ${amount} for every ${perSpend}` : undefined;
  }
  // Sets have theirs elsewhere: of two halves one unit free is the offer itself.
  const { percent = 0 } = benefit as { readonly percent?: number };
  return percent > USUAL_PERCENT ? `${TOLD}: ${percent} % of whatever qualifies` : undefined;
}

interface Loss {
  readonly taken: number;
  readonly price: number;
}

/** The product is one of those that qualify. */
function lossOf(own: WrittenBenefit, product: Product, venue: VenueEntry): Loss | undefined {
  if (product.noDiscount) return undefined;
  const loss = uncappedLoss(own, product, venue);
  const cap = amountIn(own.benefit.maximumDiscount, venue.currencies[0]!) ?? Number.POSITIVE_INFINITY;
  return loss && { ...loss, taken: Math.round(Math.min(loss.taken, loss.price, cap)) };
}

/** A percentage or an amount off the cheapest bundle that the product is in. A price of a bundle is compared by eye. */
function lossOfBundle(
  { items, percent, amount }: Extract<BenefitDefinition, { kind: 'bundle_price' }>,
  product: Product,
  { currencies, products = [] }: VenueEntry,
): Loss | undefined {
  const isTaken = items.map(({ appliesTo = {} }) => selects(appliesTo, product));
  const prices = items.map(({ appliesTo = {}, quantity }, item) => {
    const own = products.filter((other) => selects(appliesTo, other) && !other.noDiscount);
    const least = isTaken[item] ? product.unitPrice : Math.min(...own.map(({ unitPrice }) => unitPrice));
    return quantity * least;
  });
  const price = prices.reduce((sum, each) => sum + each, 0);
  if (!Number.isFinite(price)) return undefined;
  if (percent !== undefined)
    return product.noPercentageDiscount ? undefined : { taken: (price * percent) / 100, price };
  const taken = amountIn(amount, currencies[0]!);
  return taken === undefined ? undefined : { taken, price };
}

function uncappedLoss({ benefit, selectors }: WrittenBenefit, product: Product, venue: VenueEntry): Loss | undefined {
  const currency = venue.currencies[0]!;
  const price = product.unitPrice;
  if (benefit.kind === 'buy_x_get_y') {
    const { buy, get } = benefit;
    // Where the guest buys something else, one unit free is the offer itself.
    if (!selectors.every(([, selector]) => selects(selector, product))) return undefined;
    const units = buy.quantity + get.quantity;
    return { taken: (price * get.quantity * (get.percent ?? 100)) / 100, price: price * units };
  }
  if (benefit.kind === 'bundle_price') return lossOfBundle(benefit, product, venue);
  const kind = kindOf(benefit);
  if (product.noPercentageDiscount && kind.selections(benefit).every(({ isPercentage }) => isPercentage))
    return undefined;
  if (currenciesOf(benefit)?.includes(currency) === false) return undefined;
  const rule = kind.compile(inCurrency(benefit, currency));
  if (rule.level === 'line') {
    const [line] = readLines([makeLine(product, 'one', 1)], 'replace_if_larger', undefined);
    return { taken: rule.effect(line!, 1), price };
  }
  // A product that is given is free because it was meant to be.
  return rule.level === 'order' ? lossOfOrder(benefit, rule, price, currency) : undefined;
}

/** A discount on an order of the product alone, or of as much as the benefit asks for. */
function lossOfOrder(
  { minimumSpend, minimumSpendOn }: BenefitDefinition,
  { amount, percentHundredths, perSpend }: RuleAt<'order'>,
  price: number,
  currency: string,
): Loss {
  const isOfAnyLine = percentHundredths !== undefined && minimumSpendOn === 'basket';
  const spent = Math.max(price, isOfAnyLine ? 0 : (amountIn(minimumSpend, currency) ?? 0));
  if (perSpend === 0) return { taken: amount(spent, 1), price: spent };
  const atLeast = Math.max(spent, perSpend);
  const each = amount(Number.POSITIVE_INFINITY, 1);
  // Whoever gets back all of each part pays nothing for whole parts.
  const parts = atLeast / perSpend;
  if (each < perSpend) return { taken: each * Math.floor(parts), price: atLeast };
  return { taken: each * Math.ceil(parts), price: perSpend * Math.ceil(parts) };
}
