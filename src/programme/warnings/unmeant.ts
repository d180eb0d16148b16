import { amountsOf } from '@loyalty/engine/compile/amounts';
import { parseHours } from '@loyalty/engine/compile/window';
import type { BenefitDefinition } from '@loyalty/engine/definition';
import { PRODUCT_NAMES } from '@loyalty/engine/lines/selector';
import { currenciesAt, venuesOf, whensOf } from '../benefit-relations.ts';
import { placedLimits } from '../limit-faults.ts';
import { selects } from '../selectors.ts';
import { amountIn, type Surroundings, type Warning } from './surroundings.ts';
import { isBeyondReach } from './unreached.ts';

/** Words that are allowed and were probably meant otherwise: each has been written by somebody who meant something else. */

/** Warns of percentages below one: `0.2` is how a spreadsheet writes 20 %. */
export function* findTinyPercents(benefit: BenefitDefinition, path: string): Generator<Warning> {
  const [place, { percent }] =
    benefit.kind === 'buy_x_get_y' ? ['get.percent', benefit.get] : ['percent', benefit as { percent?: number }];
  if (percent === undefined || percent >= 1) return;
  const meant = Math.round(percent * 10_000) / 100;
  const text = `${percent} is ${percent} %, less than one per cent: ${meant} % is written ${meant}`;
  yield { path: `${path}.${place}`, text };
}

const MINUTES_PER_HALF_DAY = 12 * 60;
const MINUTES_PER_DAY = 24 * 60;

/** Warns of hours that end before they begin and would last more than half a day; 22:00-02:00 is a night. */
export function* findBackwardHours(benefit: BenefitDefinition, path: string): Generator<Warning> {
  for (const [{ hours }, place] of whensOf(benefit, path)) {
    const parsed = hours === undefined ? undefined : parseHours(hours);
    if (!parsed || parsed.toMinute > parsed.fromMinute) continue;
    const minutes = parsed.toMinute + MINUTES_PER_DAY - parsed.fromMinute;
    if (minutes <= MINUTES_PER_HALF_DAY) continue;
    const [from, to] = hours!.split('-');
    const text = `these hours run backwards: it is open from ${from} past midnight until ${to} of the next day, ${Math.round(minutes / 60)} hours; did you mean ${to}-${from}?`;
    yield { path: `${place}.hours`, text };
  }
}

/** Warns of amounts by currency that leave out the currency of a venue where the benefit may apply. */
export function* findMissingCurrencies(
  benefit: BenefitDefinition,
  path: string,
  { venues }: Surroundings,
): Generator<Warning> {
  const open = venuesOf(benefit, venues).map((venue) => ({ ...venue, currencies: currenciesAt(benefit, venue) }));
  for (const [field, amount] of amountsOf(benefit)) {
    if (typeof amount === 'number') continue;
    // A benefit without an amount for any of its venues is told as one that nobody can get.
    if (!open.some(({ currencies }) => currencies.some((currency) => currency in amount))) continue;
    const missing = new Map<string, string>();
    for (const { venueId, currencies } of open) {
      for (const currency of currencies)
        if (!(currency in amount) && !missing.has(currency)) missing.set(currency, venueId);
    }
    for (const [currency, venueId] of missing) {
      const text = `it has no amount in ${currency}, which venue ${venueId} sells in: no basket in ${currency} gets the benefit`;
      yield { path: `${path}.${field}`, text };
    }
  }
}

/** Warns of a price of a unit that every product gets, from the coffee to the cake. */
export function* findOpenUnitPrices(benefit: BenefitDefinition, path: string): Generator<Warning> {
  if (benefit.kind !== 'unit_price') return;
  const { appliesTo = {} } = benefit;
  if (PRODUCT_NAMES.some(({ included }) => appliesTo[included]?.length)) return;
  const place = benefit.appliesTo === undefined ? 'unitPrice' : 'appliesTo';
  yield { path: `${path}.${place}`, text: 'every product gets this price: select the products with appliesTo' };
}

/** Warns of a price of a unit or a bundle that is nowhere below what the products cost anyway. */
export function* findIdlePrices(
  benefit: BenefitDefinition,
  path: string,
  { venues, isHidden }: Surroundings,
): Generator<Warning> {
  const { kind } = benefit;
  if (kind !== 'unit_price' && kind !== 'bundle_price') return;
  const [field, price, parts] =
    kind === 'unit_price'
      ? (['unitPrice', benefit.unitPrice, [{ quantity: 1, ...benefit }]] as const)
      : (['bundlePrice', benefit.bundlePrice, benefit.items] as const);
  const listed = venuesOf(benefit, venues).flatMap(({ currencies, products = [] }) => {
    const own = amountIn(price, currencies[0]!);
    const most = parts.map(({ quantity, appliesTo = {} }) => {
      const taken = products.filter((each) => selects(appliesTo, each) && !isHidden(each) && !each.noDiscount);
      return quantity * Math.max(...taken.map(({ unitPrice }) => unitPrice));
    });
    const dearest = most.reduce((sum, each) => sum + each, 0);
    return own === undefined || !Number.isFinite(dearest) ? [] : [{ own, dearest }];
  });
  if (listed.length === 0 || !listed.every(({ own, dearest }) => own >= dearest)) return;
  const what =
    kind === 'unit_price' ? 'no listed product that qualifies costs' : 'no listed products that it takes cost';
  yield { path: `${path}.${field}`, text: `it makes nothing cheaper: ${what} more than this price` };
}

/** A campaign is planned for so many years ahead at most. */
const YEARS_AHEAD = 3;

/** Warns of dates that begin in many years, of which two digits have mostly changed places. */
export function* findFarBeginnings(
  benefit: BenefitDefinition,
  path: string,
  { today }: Surroundings,
): Generator<Warning> {
  for (const [{ from }, place] of whensOf(benefit, path)) {
    const years = from === undefined ? 0 : Number(from.slice(0, 4)) - Number(today.slice(0, 4));
    if (years < YEARS_AHEAD) continue;
    yield { path: `${place}.from`, text: `it begins in ${years} years, on ${from}; is the year meant?` };
  }
}

/** Warns of grants of a benefit that everybody has anyway. */
export function* findNeedlessGrants(
  { audience, benefitId }: BenefitDefinition,
  path: string,
  { members }: Surroundings,
): Generator<Warning> {
  if (audience === 'granted') return;
  const isHolder = ({ grants = [] }: Surroundings['members'][number]) =>
    grants.some((grant) => (typeof grant === 'string' ? grant : grant.benefitId) === benefitId);
  const holders = members.filter(isHolder).length;
  if (holders === 0) return;
  const who = holders === 1 ? 'one member has a grant' : `${holders} members have grants`;
  const text = `${who} of it, and everybody has it without one: with audience: granted only holders of a grant get it`;
  yield { path: audience === undefined ? path : `${path}.audience`, text };
}

/** From so many baskets per member on, a limit reads as a number of guests. Items are five to a basket. */
const GUESTS_FROM: Readonly<Record<string, number>> = { day: 20, week: 30, month: 60, year: 200, lifetime: 100 };
const ITEMS_PER_BASKET = 5;
/** Minor units that no single member is meant to save: 10,000.00. */
const BUDGET_FROM = 1_000_000;
const NAMES_THE_FIRST = /\b(first|første|forste|första|forsta|erste[nr]?)\b/i;
const MANY_FROM = 10;

/** Warns of a limit per member whose quantity reads as one for all members together. */
export function* findLimitsOfAll(benefit: BenefitDefinition, path: string, around: Surroundings): Generator<Warning> {
  for (const [limit, place] of placedLimits(benefit, path)) {
    // Whoever has written `of: member` means each member.
    if ('of' in limit || limit.period === 'basket' || isBeyondReach(limit)) continue;
    const quantity = mostOf(limit.quantity, venuesOf(benefit, around.venues));
    const from =
      limit.counts === 'money'
        ? BUDGET_FROM
        : (GUESTS_FROM[limit.period] ?? 0) * (limit.counts === 'items' ? ITEMS_PER_BASKET : 1);
    const isNamed = quantity >= MANY_FROM && saysFirst(benefit, quantity);
    if (quantity < from && !isNamed) continue;
    const unit = limit.counts === 'money' ? 'minor units' : limit.counts;
    const period = limit.period === 'lifetime' ? 'in all' : `a ${limit.period}`;
    const text = `it counts for each member alone: every member may have ${quantity} ${unit} ${period}; is it meant for all members together?`;
    yield { path: `${place}.quantity`, text };
  }
}

function mostOf(quantity: unknown, venues: Surroundings['venues']): number {
  const currencies = [...new Set(venues.flatMap((venue) => venue.currencies))];
  return Math.max(
    0,
    ...(typeof quantity === 'number' ? [quantity] : currencies.map((currency) => amountIn(quantity, currency) ?? 0)),
  );
}

/** "The first 50 guests" in a text or a name, beside a limit of 50. */
function saysFirst({ benefitId, text }: BenefitDefinition, quantity: number): boolean {
  const words = `${benefitId.replaceAll(/[._-]/g, ' ')} ${typeof text === 'object' ? Object.values(text).join(' ') : (text ?? '')}`;
  return NAMES_THE_FIRST.test(words) && new RegExp(`\\b${quantity}\\b`).test(words);
}
