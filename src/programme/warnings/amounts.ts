import { kindOf } from '@loyalty/engine/benefits/register';
import { amountsOf, currenciesOf } from '@loyalty/engine/compile/amounts';
import { decimalsOf } from '@loyalty/engine/trace/wording';
import type { VenueEntry } from '../schema.ts';
import { selects } from '../selectors.ts';
import { currenciesAt, type Placed, type WrittenBenefit } from '../written-benefit.ts';
import { type Around, amountIn, ofEach, type Said } from './advice.ts';
import { suggest } from './names.ts';

/** Advice about amounts, percentages and their currencies. */

/** Percentages below one: `0.2` is how a spreadsheet writes 20 %. */
export const tinyPercent = ofEach(
  ({ benefit }): Placed<{ readonly percent?: number }>[] =>
    benefit.kind === 'buy_x_get_y' ? [['get', benefit.get]] : [['', benefit as { percent?: number }]],
  'percent',
  ({ percent }) => {
    if (percent === undefined || percent >= 1) return undefined;
    const meant = Math.round(percent * 10_000) / 100;
    return `${percent} is ${percent} %, less than one per cent: ${meant} % is written ${meant}`;
  },
);

/** Amounts by currency that leave out the currency of a venue where the benefit may apply. */
export function* missingCurrencies({ benefit, venues }: WrittenBenefit): Generator<Said> {
  const sold = venues.flatMap((venue) =>
    currenciesAt(benefit, venue).map((currency) => ({ venueId: venue.venueId, currency })),
  );
  for (const [field, amount] of amountsOf(benefit)) {
    // A benefit without an amount for any of its venues is told as one that nobody can get.
    if (typeof amount === 'number' || !sold.some(({ currency }) => currency in amount)) continue;
    const missing = Map.groupBy(sold, ({ currency }) => currency);
    for (const [currency, [first]] of missing) {
      if (currency in amount) continue;
      const why = `which venue ${first!.venueId} sells in: no basket in ${currency} gets the benefit`;
      yield [field, `it has no amount in ${currency}, ${why}`];
    }
  }
}

/** Currencies that no venue has, and a benefit without an amount in any currency of its venues. */
export function* foreignCurrencies({ benefit, venues: open }: WrittenBenefit, { venues }: Around): Generator<Said> {
  if (venues.length === 0) return;
  const known = [...new Set(venues.flatMap(({ currencies }) => currencies))];
  for (const [field, amount] of amountsOf(benefit)) {
    for (const currency of Object.keys(amount)) {
      if (known.includes(currency)) continue;
      const sentence = `no venue of the programme has this currency, ${currency}${suggest(currency, known)}`;
      yield [`${field}.${currency}`, sentence];
    }
  }
  const priced = currenciesOf(benefit);
  const sold = [...new Set(open.flatMap((venue) => currenciesAt(benefit, venue)))];
  if (!priced || sold.length === 0 || priced.some((currency) => sold.includes(currency))) return;
  const list = kindOf(benefit).usesPriceList ? 'the product list of ' : '';
  const where = open.length < venues.length ? 'a venue where it runs' : 'a venue';
  yield ['', `nobody can get it: no currency of ${list}${where}, ${sold.join(' or ')}, has all its amounts`];
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
      const cheapest = at === 0 ? cheapestOf(own, venue) : undefined;
      for (const [name, times, written] of writtenAmounts(own)) {
        const amount = amountIn(written, currency) ?? 0;
        const isSum = name !== 'unitPrice' && (name !== 'amount' || own.benefit.kind !== 'line_amount');
        const isSmall = amount * times < (cheapest ?? 0) || (isSum && amount < scale);
        const place = typeof written === 'number' ? name : `${name}.${currency}`;
        if (amount <= 0 || !isSmall || told.has(place)) continue;
        told.add(place);
        const means = `${(amount / scale).toFixed(String(scale).length - 1)} ${currency}`;
        const beside = cheapest === undefined ? '' : `, and a product costs ${cheapest}`;
        const written100 = `${amount}.00 is ${amount * scale}`;
        yield [place, `${amount} looks like major units: it means ${means}${beside}; ${written100}`];
      }
    }
  }
}

/** The amounts of a benefit by the field that has them, with how many times each may fit into a product. */
function writtenAmounts({ benefit, limits }: WrittenBenefit): [string, number, unknown][] {
  const fields = benefit as unknown as Readonly<Record<string, unknown>>;
  const ofFields = Object.entries(SUSPICIOUS_TIMES).map(([name, times]): [string, number, unknown] => [
    name,
    times,
    fields[name],
  ]);
  const budgets = limits.flatMap(([place, { counts, quantity }]): [string, number, unknown][] =>
    counts === 'money' ? [[`${place}.quantity`, SUSPICIOUS_TIMES['maximumDiscount']!, quantity]] : [],
  );
  return [...ofFields, ...budgets];
}

/** The price of the cheapest product that the benefit is about. */
function cheapestOf({ selectors }: WrittenBenefit, { products = [] }: VenueEntry): number | undefined {
  const prices = products
    .filter((product) => product.unitPrice > 0 && selectors.some(([, selector]) => selects(selector, product)))
    .map(({ unitPrice }) => unitPrice);
  return prices.length === 0 ? undefined : Math.min(...prices);
}

/** A list of products of a venue that all cost less than one major unit. */
export function* majorPrices({ products = [], currencies }: VenueEntry): Generator<Said> {
  const prices = products.map(({ unitPrice }) => unitPrice).filter((price) => price > 0);
  const scale = 10 ** decimalsOf(currencies[0]!);
  if (prices.length === 0 || !prices.every((price) => price < scale)) return;
  yield ['products', `every price is below ${scale}: they look like major units`];
}
