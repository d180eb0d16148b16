import { currenciesOf } from '@loyalty/engine/compile/amounts';
import type { BenefitDefinition } from '@loyalty/engine/definition';
import type { VenueEntry } from '../schema.ts';
import { selects } from '../selectors.ts';
import type { WrittenBenefit } from '../written-benefit.ts';
import { type Around, amountIn, isReward, listedFor, type Product, type Said } from './advice.ts';

/** Benefits that can take over 90 % off: a product of a venue's list, or whatever is sold. Mostly a decimal point or a unit went wrong. */

const USUAL_PERCENT = 90;
const TOLD = `can take over ${USUAL_PERCENT} % off`;

interface Loss {
  readonly taken: number;
  readonly price: number;
}

const isExcessive = ({ taken, price }: Loss) => taken * 100 > price * USUAL_PERCENT;

/**
 * Once per benefit, of the product that loses the greatest share, or of what the file says where no venue lists a product that
 * qualifies. A product that is given away is meant to be free.
 */
export function* excessiveBenefit(own: WrittenBenefit, { isHidden }: Around): Generator<Said> {
  const { benefit } = own;
  // The tenth coffee of a stamp card is free because it was meant to be.
  if (isReward(benefit)) return;
  const written: string[] = [];
  let worst: (Loss & { readonly text: string }) | undefined;
  for (const venue of own.venues) {
    const sold = listedFor(own, venue);
    const isOfList = sold.length > 0 && !('perSpend' in benefit);
    if (!isOfList) written.push(...venue.currencies.flatMap((currency) => writtenLoss(benefit, currency) ?? []));
    for (const product of isOfList ? sold : []) {
      const loss = isHidden(product) ? undefined : lossOf(own, product, venue);
      if (!loss || !isExcessive(loss) || (worst && loss.taken * worst.price <= worst.taken * loss.price)) continue;
      const subject = `${product.productId} ${product.name} at ${venue.venueId}`;
      worst = { ...loss, text: `${TOLD}: ${loss.taken} of ${loss.price}, ${subject}` };
    }
  }
  const text = worst?.text ?? written[0];
  if (text !== undefined) yield ['', text];
}

/** The words for a share that is too large whatever the products cost. With a cap it depends on what they cost. */
function writtenLoss(benefit: BenefitDefinition, currency: string): string | undefined {
  if (amountIn(benefit.maximumDiscount, currency) !== undefined) return undefined;
  if (benefit.kind === 'order_amount') {
    const [taken, price] = [amountIn(benefit.amount, currency), amountIn(benefit.perSpend, currency)];
    if (taken === undefined || price === undefined || !isExcessive({ taken, price })) return undefined;
    return `${TOLD}: ${taken} for every ${price}`;
  }
  // Sets have theirs elsewhere: of two halves one unit free is the offer itself.
  const { percent = 0 } = benefit as { readonly percent?: number };
  return percent > USUAL_PERCENT ? `${TOLD}: ${percent} % of whatever qualifies` : undefined;
}

/** What the benefit takes off a product that qualifies, or off a set or an order with it; at most its cap. */
function lossOf({ benefit, selectors }: WrittenBenefit, product: Product, venue: VenueEntry): Loss | undefined {
  const currency = venue.currencies[0]!;
  const percent = 'percent' in benefit ? benefit.percent : undefined;
  if (product.noDiscount || (product.noPercentageDiscount && percent !== undefined)) return undefined;
  if (product.unitPrice <= 0 || currenciesOf(benefit)?.includes(currency) === false) return undefined;
  const price = priceOf(benefit, product, venue);
  const most = Math.min(price, amountIn(benefit.maximumDiscount, currency) ?? price);
  const lossOfAll = (taken: number) => ({ price, taken: Math.round(Math.min(taken, most)) });
  if (percent !== undefined) return lossOfAll((price * percent) / 100);
  if (benefit.kind === 'unit_price') return lossOfAll(price - amountIn(benefit.unitPrice, currency)!);
  if (benefit.kind === 'buy_x_get_y') {
    // Where the guest buys something else, one unit free is the offer itself.
    if (!selectors.every(([, selector]) => selects(selector, product))) return undefined;
    return lossOfAll((product.unitPrice * benefit.get.quantity * (benefit.get.percent ?? 100)) / 100);
  }
  // A price of a bundle is compared by eye, and a product that is given is free because it was meant to be.
  const amount = 'amount' in benefit ? amountIn(benefit.amount, currency) : undefined;
  return amount === undefined ? undefined : lossOfAll(amount);
}

/** What the guest pays for what the benefit is given on: the product, a set with it, or an order of as much as the benefit asks for. */
function priceOf(benefit: BenefitDefinition, product: Product, { currencies, products = [] }: VenueEntry): number {
  const { unitPrice } = product;
  switch (benefit.kind) {
    case 'buy_x_get_y':
      return unitPrice * (benefit.buy.quantity + benefit.get.quantity);
    case 'bundle_price': {
      // With the cheapest other products; a bundle of which the list lacks a part has no end of a price.
      const prices = benefit.items.map(({ appliesTo = {}, quantity }) => {
        const others = products.filter((other) => selects(appliesTo, other) && !other.noDiscount);
        const least = selects(appliesTo, product) ? unitPrice : Math.min(...others.map((other) => other.unitPrice));
        return quantity * least;
      });
      return prices.reduce((sum, price) => sum + price, 0);
    }
    case 'order_percent':
      if (benefit.minimumSpendOn === 'basket') return unitPrice;
      return Math.max(unitPrice, amountIn(benefit.minimumSpend, currencies[0]!) ?? 0);
    case 'order_amount':
      return Math.max(unitPrice, amountIn(benefit.minimumSpend, currencies[0]!) ?? 0);
    default:
      return unitPrice;
  }
}
