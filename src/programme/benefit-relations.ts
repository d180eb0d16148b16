import { kindOf } from '@loyalty/engine/benefits/register';
import { amountsOf, isBare, limitsOf } from '@loyalty/engine/compile/amounts';
import { MINUTES_PER_DAY, parseDate, parseMoment, weekdayOf } from '@loyalty/engine/compile/calendar';
import { compileWindow, opensAfter, WEEKDAYS, type WhenDefinition, windowsOf } from '@loyalty/engine/compile/window';
import type { LimitDefinition } from '@loyalty/engine/compile/words';
import { SHARE_PARTS } from '@loyalty/engine/conditions/share';
import type { BenefitDefinition } from '@loyalty/engine/definition';
import { BENEFIT_SCHEMAS } from './benefit-schema.ts';
import { checkValue, type DecimalsAt } from './check.ts';
import { type Fault, oneOf, show, unknownName } from './configuration-error.ts';
import { findDuplicates } from './duplicates.ts';
import { isObject } from './is-object.ts';
import { findLimitFaults } from './limit-faults.ts';
import { kindMeant } from './migrants.ts';
import type { EnvironmentFile, VenueEntry } from './schema.ts';
import { findEmptySelector, namingSelectorsOf } from './selectors.ts';
import { findOverlapFaults } from './set-halves.ts';
import { findSharedLimitFaults } from './shared-limits.ts';

/** Benefits, each checked against the schema of its kind and against the rest of the file. */

type File = Pick<EnvironmentFile, 'venues' | 'programmes'> & {
  /** IDs of all venues, those with faults of their own too. */
  readonly venueIds: readonly string[];
  readonly decimalsAt: DecimalsAt;
};

const DAYS_PER_WEEK = 7;

/** Finds the faults of all benefits, in file order. Programmes may have faults of their own. */
export function* findBenefitFaults({ venues, venueIds, programmes, decimalsAt }: File): Generator<Fault> {
  for (const [p, programme] of programmes.entries()) {
    const own = venues.filter(({ programmeId }) => programmeId === programme?.programmeId);
    const benefits = benefitsOf(programme);
    for (const [b, benefit] of benefits) {
      const path = `programmes[${p}].benefits[${b}]`;
      const schema = BENEFIT_SCHEMAS.get(benefit.kind);
      if (!schema) {
        yield unknownKind(benefit, path);
        continue;
      }
      const faults = checkValue(schema, benefit, path, decimalsAt);
      yield* faults;
      if (faults.length > 0) continue;
      for (const [when, place] of whensOf(benefit, path)) {
        yield* findWindowFaults(when, place);
        yield* findShareFaults(when, place);
        yield* findVenueFaults(when, venueIds, place);
      }
      yield* findLimitFaults(benefit, own, path);
      yield* findAmountFaults(benefit, own, path);
      yield* findBundleFaults(benefit, path);
      yield* findSpreadFaults(benefit, path);
      yield* findCompleteFaults(benefit, path);
      yield* findOverlapFaults(benefit, path);
      yield* findNetMinimumFaults(benefit, path);
      yield* findMinimumFaults(benefit, path);
      yield* findPickFaults(benefit, path);
      yield* findGroupFaults(benefit, programme, path);
      for (const [place, selector] of namingSelectorsOf(benefit))
        yield* findEmptySelector(selector, `${path}.${place}`);
      yield* findProductFaults(benefit, own, path);
    }
    yield* findSharedLimitFaults(benefits, `programmes[${p}]`);
    const named = benefits.filter(([, { benefitId }]) => typeof benefitId === 'string');
    yield* findDuplicates(named, ({ benefitId }, b) => [[benefitId, `programmes[${p}].benefits[${b}].benefitId`]]);
  }
}

function unknownKind(benefit: BenefitDefinition, path: string): Fault {
  const fault = unknownName(`${path}.kind`, benefit.kind, [...BENEFIT_SCHEMAS.keys()]);
  // A kind that is only spelt alike would contradict the one that is meant.
  const meant = kindMeant(benefit.kind, benefit);
  if (meant === undefined) return fault;
  return { path: fault.path, found: fault.found, allowed: `${fault.allowed}; that is ${meant} here` };
}

/** The benefits of a programme with their numbers, less those that are no mapping. Their own schemas are not checked. */
export function benefitsOf(programme: EnvironmentFile['programmes'][number]): [number, BenefitDefinition][] {
  const benefits: unknown = programme?.benefits;
  if (!Array.isArray(benefits)) return [];
  return [...(benefits as BenefitDefinition[]).entries()].filter(([, benefit]) => isObject(benefit));
}

/** The entries of `when` with their paths. */
export function whensOf({ when }: BenefitDefinition, path: string): [WhenDefinition, string][] {
  return windowsOf(when).map((entry, w) => [entry, Array.isArray(when) ? `${path}.when[${w}]` : `${path}.when`]);
}

/** Refuses a window that never opens. */
function* findWindowFaults(when: WhenDefinition, path: string): Generator<Fault> {
  const { from: first, to: last, weekdays, hours } = when;
  if (first === undefined || last === undefined) return;
  const begin = beginOf(first);
  const end = parseMoment(last) ?? beginOf(last) + MINUTES_PER_DAY;
  if (end <= begin) {
    const isMoment = parseMoment(last) !== undefined;
    yield {
      path: `${path}.to`,
      found: show(last),
      allowed: isMoment ? `a time after ${first}` : `a date from ${first} on`,
    };
    return;
  }
  if (opensAfter(compileWindow(when)!, begin)) return;
  const from = Math.floor(begin / MINUTES_PER_DAY);
  const to = Math.floor((end - 1) / MINUTES_PER_DAY);
  const days = Math.min(to - from + 1, DAYS_PER_WEEK);
  const possible = Array.from({ length: days }, (_, day) => WEEKDAYS[weekdayOf(from + day)]!);
  if (weekdays?.length && !weekdays.some((weekday) => possible.includes(weekday))) {
    const allowed = `${oneOf(possible)}, the days from ${first} to ${last}`;
    yield { path: `${path}.weekdays`, found: show(weekdays), allowed };
    return;
  }
  yield { path: `${path}.hours`, found: show(hours), allowed: `hours of which some are between ${first} and ${last}` };
}

/** The first minute of a date, or of a date with a time. */
function beginOf(text: string): number {
  return parseMoment(text) ?? parseDate(text)! * MINUTES_PER_DAY;
}

function* findShareFaults({ share }: WhenDefinition, path: string): Generator<Fault> {
  if (!share || share.below > share.from) return;
  const allowed = `a whole number from ${share.from + 1} to ${SHARE_PARTS}`;
  yield { path: `${path}.share.below`, found: show(share.below), allowed };
}

function* findVenueFaults({ venueIds = [] }: WhenDefinition, known: readonly string[], path: string): Generator<Fault> {
  for (const [v, venueId] of venueIds.entries()) {
    if (!known.includes(venueId)) yield unknownName(`${path}.venueIds[${v}]`, venueId, known);
  }
}

/** Refuses a bundle that says in two ways, or in none, what it costs. */
function* findBundleFaults(benefit: BenefitDefinition, path: string): Generator<Fault> {
  if (benefit.kind !== 'bundle_price') return;
  const said = (['bundlePrice', 'percent', 'amount'] as const).filter((name) => benefit[name] !== undefined);
  if (said.length === 1) return;
  const allowed = 'one of bundlePrice, percent and amount';
  yield { path, found: said.length === 0 ? 'no price of the bundle' : said.join(' and '), allowed };
}

/** Refuses bought units that share what is given and yet are open to other benefits: a unit takes one. */
function* findSpreadFaults(benefit: BenefitDefinition, path: string): Generator<Fault> {
  if (benefit.kind !== 'buy_x_get_y' || !benefit.spread || !benefit.buy.combinable) return;
  const allowed = 'false where spread is true: the bought units share what is given, and a unit takes one benefit';
  yield { path: `${path}.buy.combinable`, found: show(true), allowed };
}

/** Refuses to ask for complete sets where one unit is given: it is there or not. */
function* findCompleteFaults(benefit: BenefitDefinition, path: string): Generator<Fault> {
  if (benefit.kind !== 'buy_x_get_y' || !benefit.get.complete || benefit.get.quantity > 1) return;
  const allowed = 'true where get.quantity is 2 or more: a set that gives one unit is always complete';
  yield { path: `${path}.get.complete`, found: show(true), allowed };
}

/** Refuses a minimum on what lines cost after line-level benefits where none come before, or where there is no minimum. */
function* findNetMinimumFaults(benefit: BenefitDefinition, path: string): Generator<Fault> {
  const { minimumSpend, minimumSpendBasis } = benefit;
  if (minimumSpendBasis !== 'net') return;
  const isOfOrder = kindOf(benefit).level === 'order';
  if (isOfOrder && minimumSpend !== undefined) return;
  const allowed = isOfOrder
    ? 'net together with minimumSpend'
    : 'incoming: only order_percent and order_amount come after the benefits that make lines cheaper';
  yield { path: `${path}.minimumSpendBasis`, found: show(minimumSpendBasis), allowed };
}

/** Refuses to take the cheapest of all units: where nothing limits their number, all are taken. */
function* findPickFaults(benefit: BenefitDefinition, path: string): Generator<Fault> {
  if (benefit.kind === 'buy_x_get_y' || !('pick' in benefit) || benefit.pick !== 'cheapest') return;
  const isLimited = limitsOf<LimitDefinition>(benefit).some(({ counts }) => counts === 'items');
  if (benefit.maximumUnits !== undefined || isLimited) return;
  const allowed = 'cheapest together with maximumUnits, or with a limit that counts items';
  yield { path: `${path}.pick`, found: show('cheapest'), allowed };
}

/** Refuses to count the units of all lines where no minimum asks for any. */
function* findMinimumFaults({ minimumQuantity, minimumQuantityOn }: BenefitDefinition, path: string): Generator<Fault> {
  if (minimumQuantityOn !== 'basket' || minimumQuantity !== undefined) return;
  const allowed = 'basket together with minimumQuantity';
  yield { path: `${path}.minimumQuantityOn`, found: show(minimumQuantityOn), allowed };
}

/** Refuses a group that the programme does not define. */
function* findGroupFaults(
  { group }: BenefitDefinition,
  programme: EnvironmentFile['programmes'][number],
  path: string,
): Generator<Fault> {
  const known = Object.keys(programme.groups ?? {});
  if (group === undefined || known.includes(group)) return;
  const fault = unknownName(`${path}.group`, group, known);
  const allowed =
    known.length === 0
      ? `a group of the programme, which has none yet: groups: { ${group}: { atMost: 1 } }`
      : `${fault.allowed}, from \`groups\` of the programme`;
  yield { ...fault, allowed };
}

/** Refuses an amount without a currency where it could mean one or another. */
function* findAmountFaults(benefit: BenefitDefinition, venues: readonly VenueEntry[], path: string): Generator<Fault> {
  const currencies = [...new Set(venues.flatMap((venue) => venue.currencies))];
  if (currencies.length < 2) return;
  for (const [field, amount] of amountsOf(benefit)) {
    if (!isBare(amount)) continue;
    const map = currencies.map((currency) => `${currency}: …`).join(', ');
    const allowed = `amounts by currency, { ${map} }, because the venues of the programme have ${currencies.join(' and ')}`;
    yield { path: `${path}.${field}`, found: show(amount), allowed };
  }
}

/** An added product must be in the product list of every venue where it may be given, with a price, and discountable. */
function* findProductFaults(benefit: BenefitDefinition, venues: readonly VenueEntry[], path: string): Generator<Fault> {
  const productId = kindOf(benefit).addedProductId?.(benefit);
  if (productId === undefined) return;
  for (const { venueId, products = [] } of venuesOf(benefit, venues)) {
    const product = products.find((own) => own.productId === productId);
    const place = { path: `${path}.productId`, found: show(productId) };
    if (!product) {
      const known = products.map((own) => own.productId);
      const unknown = { name: productId, known };
      yield { ...place, allowed: `a product from the \`products\` of venue ${venueId}, ${oneOf(known)}`, unknown };
    } else if (product.noDiscount) yield { ...place, allowed: `a product that venue ${venueId} may discount` };
    else if (product.unitPrice === 0) yield { ...place, allowed: `a product that costs something at venue ${venueId}` };
  }
}

/** The venues where the benefit may apply. */
export function venuesOf({ when }: BenefitDefinition, venues: readonly VenueEntry[]): VenueEntry[] {
  const windows = windowsOf(when);
  const isOpenAt = (venueId: string): boolean =>
    windows.length === 0 || windows.some(({ venueIds }) => !venueIds?.length || venueIds.includes(venueId));
  return venues.filter(({ venueId }) => isOpenAt(venueId));
}

/** The currencies of a venue in which the benefit may apply; a list of products is in the first one. */
export function currenciesAt(benefit: BenefitDefinition, { currencies }: VenueEntry): readonly string[] {
  return kindOf(benefit).usesPriceList ? currencies.slice(0, 1) : currencies;
}
