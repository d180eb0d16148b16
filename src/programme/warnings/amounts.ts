import { kindOf } from '@loyalty/engine/benefits/register';
import { amountsOf, currenciesOf } from '@loyalty/engine/compile/amounts';
import { decimalsOf } from '@loyalty/engine/trace/wording';
import type { VenueEntry } from '../schema.ts';
import { currenciesAt, type WrittenBenefit } from '../written-benefit.ts';
import { type Around, amountIn, listedFor, type Product, type Said } from './advice.ts';

/** Advice about amounts, percentages and their currencies. */

/** Percentages below one: `0.2` is how a spreadsheet writes 20 %. */
export function* tinyPercent({ benefit }: WrittenBenefit): Generator<Said> {
  const isSet = benefit.kind === 'buy_x_get_y';
  const { percent = 1 } = (isSet ? benefit.get : benefit) as { readonly percent?: number };
  if (percent >= 1) return;
  const meant = Math.round(percent * 10_000) / 100;
  const sentence = `${percent} is ${percent} %, less than one per cent: ${meant} % is written ${meant}`;
  yield [isSet ? 'get.percent' : 'percent', sentence];
}

/** Amounts by currency that leave out the currency of a venue where the benefit may apply, or all of them. */
export function* missingCurrencies({ benefit, venues }: WrittenBenefit, around: Around): Generator<Said> {
  const sold = new Map<string, string>();
  for (const venue of venues.toReversed()) {
    for (const currency of currenciesAt(benefit, venue)) sold.set(currency, venue.venueId);
  }
  const priced = currenciesOf(benefit);
  if (priced && sold.size > 0 && !priced.some((currency) => sold.has(currency))) {
    const list = kindOf(benefit).usesPriceList ? 'the product list of ' : '';
    const where = venues.length < around.venues.length ? 'a venue where it runs' : 'a venue';
    yield [
      '',
      `nobody can get it: no currency of ${list}${where}, ${[...sold.keys()].join(' or ')}, has all its amounts`,
    ];
  }
  for (const [field, amount] of amountsOf(benefit)) {
    // An amount without any of them is told above.
    if (typeof amount === 'number' || !Object.keys(amount).some((currency) => sold.has(currency))) continue;
    for (const [currency, venueId] of sold) {
      if (currency in amount) continue;
      const why = `which venue ${venueId} sells in: no basket in ${currency} gets the benefit`;
      yield [field, `it has no amount in ${currency}, ${why}`];
    }
  }
}

/**
 * How many times an amount fits into the cheapest product that it is about before it is suspicious. A spend that one
 * product exceeds twice asks for nothing; ten cents off a unit are a usual discount.
 */
const SUSPICIOUS_TIMES: Readonly<Record<string, number>> = {
  minimumSpend: 2,
  perSpend: 2,
  bundlePrice: 20,
  maximumDiscount: 20,
  'limit.quantity': 20,
  minimumSaving: 200,
  unitPrice: 50,
  amount: 50,
};

/** Amounts that look like major units: `50` where 50.00, which is `5000`, was meant. */
export function* majorUnits(own: WrittenBenefit): Generator<Said> {
  const told = new Set<string>();
  for (const venue of own.venues) {
    for (const [at, currency] of venue.currencies.entries()) {
      const scale = 10 ** decimalsOf(currency);
      if (scale === 1) continue;
      // The list is in the first currency.
      const prices = at === 0 ? pricesOf(listedFor(own, venue)) : [];
      const cheapest = prices.length === 0 ? undefined : Math.min(...prices);
      for (const [field, written] of amountsOf(own.benefit)) {
        const times = SUSPICIOUS_TIMES[field.replace(/\[\d+\]/, '')];
        const amount = amountIn(written, currency) ?? 0;
        const isSum = field !== 'unitPrice' && (field !== 'amount' || own.benefit.kind !== 'line_amount');
        const place = typeof written === 'number' ? field : `${field}.${currency}`;
        if (times === undefined || amount <= 0 || told.has(place)) continue;
        if (amount * times >= (cheapest ?? 0) && !(isSum && amount < scale)) continue;
        told.add(place);
        const means = `${(amount / scale).toFixed(decimalsOf(currency))} ${currency}`;
        const beside = cheapest === undefined ? '' : `, and a product costs ${cheapest}`;
        const meant = `${amount}.00 is ${amount * scale}`;
        yield [place, `${amount} looks like major units: it means ${means}${beside}; ${meant}`];
      }
    }
  }
}

/** A list of products of a venue that all cost less than one major unit. */
export function* majorPrices({ products = [], currencies }: VenueEntry): Generator<Said> {
  const prices = pricesOf(products);
  const scale = 10 ** decimalsOf(currencies[0]!);
  if (prices.length === 0 || !prices.every((price) => price < scale)) return;
  yield ['products', `every price is below ${scale}: they look like major units`];
}

function pricesOf(products: readonly Product[]): number[] {
  return products.map(({ unitPrice }) => unitPrice).filter((price) => price > 0);
}
