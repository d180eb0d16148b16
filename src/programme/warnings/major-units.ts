import type { BenefitDefinition } from '@loyalty/engine/definition';
import { decimalsOf } from '@loyalty/engine/trace/wording';
import { venuesOf } from '../benefit-relations.ts';
import { placedLimits } from '../limit-faults.ts';
import type { VenueEntry } from '../schema.ts';
import { selectorsOf, selects } from '../selectors.ts';
import { amountIn, type Surroundings, type Warning } from './surroundings.ts';

/** Amounts that look like major units: `50` where 50.00, which is `5000`, was meant. */

/**
 * How many times an amount fits into the cheapest product that it is about before it is suspicious. A spend that one
 * product exceeds twice asks for nothing; ten cents off a unit are a usual discount.
 */
const SUSPICIOUS_TIMES: Readonly<Record<string, number>> = {
  minimumSpend: 2,
  perSpend: 2,
  bundlePrice: 20,
  maximumDiscount: 20,
  minimumSaving: 200,
  unitPrice: 50,
  amount: 50,
};

export function* findMajorUnits(
  benefit: BenefitDefinition,
  path: string,
  { venues }: Surroundings,
): Generator<Warning> {
  const told = new Set<string>();
  for (const venue of venuesOf(benefit, venues)) {
    for (const [at, currency] of venue.currencies.entries()) {
      const scale = 10 ** decimalsOf(currency);
      if (scale === 1) continue;
      // The list is in the first currency.
      const cheapest = at === 0 ? cheapestOf(benefit, venue) : undefined;
      for (const [name, times, written] of writtenAmounts(benefit)) {
        const amount = amountIn(written, currency) ?? 0;
        const isSum = name !== 'unitPrice' && (name !== 'amount' || benefit.kind !== 'line_amount');
        const isSmall = amount * times < (cheapest ?? 0) || (isSum && amount < scale);
        const place = typeof written === 'number' ? name : `${name}.${currency}`;
        if (amount <= 0 || !isSmall || told.has(place)) continue;
        told.add(place);
        const words = `${(amount / scale).toFixed(String(scale).length - 1)} ${currency}`;
        const beside = cheapest === undefined ? '' : `, and a product costs ${cheapest}`;
        const text = `${amount} looks like major units: it means ${words}${beside}; ${amount}.00 is ${amount * scale}`;
        yield { path: `${path}.${place}`, text };
      }
    }
  }
}

/** The amounts of a benefit by the field that has them, with how many times each may fit into a product. */
function writtenAmounts(benefit: BenefitDefinition): [string, number, unknown][] {
  const fields = Object.entries(SUSPICIOUS_TIMES).map(([name, times]): [string, number, unknown] => [
    name,
    times,
    (benefit as unknown as Readonly<Record<string, unknown>>)[name],
  ]);
  const budgets = placedLimits(benefit, '').flatMap(([{ counts, quantity }, place]): [string, number, unknown][] =>
    counts === 'money' ? [[`${place.slice(1)}.quantity`, SUSPICIOUS_TIMES['maximumDiscount']!, quantity]] : [],
  );
  return [...fields, ...budgets];
}

/** Warns of a list of products that all cost less than one major unit. */
export function* findMajorPrices(venue: VenueEntry, path: string): Generator<Warning> {
  const prices = (venue.products ?? []).map(({ unitPrice }) => unitPrice).filter((price) => price > 0);
  const scale = 10 ** decimalsOf(venue.currencies[0]!);
  if (prices.length === 0 || !prices.every((price) => price < scale)) return;
  yield { path: `${path}.products`, text: `every price is below ${scale}: they look like major units` };
}

/** The price of the cheapest product that the benefit is about. */
function cheapestOf(benefit: BenefitDefinition, { products = [] }: VenueEntry): number | undefined {
  const selectors = selectorsOf(benefit).map(([, selector]) => selector);
  const prices = products
    .filter((product) => product.unitPrice > 0 && selectors.some((selector) => selects(selector, product)))
    .map(({ unitPrice }) => unitPrice);
  return prices.length === 0 ? undefined : Math.min(...prices);
}
