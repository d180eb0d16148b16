import { kindOf } from '@loyalty/engine/benefits/register';
import { amountsOf, isBare } from '@loyalty/engine/compile/amounts';
import { MINUTES_PER_DAY, parseDate, parseMoment, weekdayOf } from '@loyalty/engine/compile/calendar';
import { compileWindow, opensAfter, WEEKDAYS, type WhenDefinition } from '@loyalty/engine/compile/window';
import { SHARE_PARTS } from '@loyalty/engine/conditions/share';
import type { BenefitDefinition } from '@loyalty/engine/definition';
import { BENEFIT_SCHEMAS } from './benefit-schema.ts';
import { checkValue, type DecimalsAt } from './check.ts';
import { below, type Fault, oneOf, unknownName, wrong } from './configuration-error.ts';
import { findDuplicates } from './duplicates.ts';
import { findLimitFaults, findSharedLimitFaults } from './limit-relations.ts';
import { kindMeant } from './migrants.ts';
import type { EnvironmentFile, VenueEntry } from './schema.ts';
import { findEmptySelector, findOverlapFault } from './selectors.ts';
import { benefitsOf, takeApart, type WrittenBenefit } from './written-benefit.ts';

/** Benefits, each checked against the schema of its kind and against the rest of the file. */

type File = Pick<EnvironmentFile, 'venues' | 'programmes'> & {
  /** IDs of all venues, those with faults of their own too. */
  readonly venueIds: readonly string[];
  readonly decimalsAt: DecimalsAt;
};

interface Around {
  readonly programme: EnvironmentFile['programmes'][number];
  /** The venues that run it. */
  readonly venues: readonly VenueEntry[];
  readonly venueIds: readonly string[];
}

/** What is wrong with a benefit that fits its schema; places are from the benefit on. */
type Rule = (own: WrittenBenefit, around: Around) => readonly Fault[] | Fault | undefined;

/** A new rule between the fields of a benefit, or with what is around it, is a function and a line here. */
const RULES: readonly Rule[] = [
  ({ windows }, { venueIds }) =>
    windows.flatMap(([place, when]) => [
      ...findWindowFaults(when, place),
      ...findShareFaults(when, place),
      ...findVenueFaults(when, venueIds, place),
    ]),
  ({ limits }, { venues }) => [...findLimitFaults(limits, venues)],
  bareAmounts,
  bundleWithoutOnePrice,
  spreadAndCombinable,
  completeUnit,
  ({ benefit }) => findOverlapFault(benefit),
  netMinimum,
  minimumOfNothing,
  cheapestOfAll,
  unknownGroup,
  ({ allSelectors }) => allSelectors.flatMap(([place, selector]) => findEmptySelector(selector, place)),
  unusableProduct,
];

const DAYS_PER_WEEK = 7;

/** Finds the faults of all benefits, in file order. Fields of programmes with faults are undefined. */
export function* findBenefitFaults({ venues, venueIds, programmes, decimalsAt }: File): Generator<Fault> {
  for (const [p, programme] of programmes.entries()) {
    const around = {
      programme,
      venues: venues.filter(({ programmeId }) => programmeId === programme.programmeId),
      venueIds,
    };
    const benefits = benefitsOf(programme);
    for (const [b, benefit] of benefits) {
      const path = `programmes[${p}].benefits[${b}]`;
      const schema = BENEFIT_SCHEMAS.get(benefit.kind);
      const faults = schema ? checkValue(schema, benefit, path, decimalsAt) : [unknownKind(benefit, path)];
      yield* faults;
      if (faults.length > 0) continue;
      const own = takeApart(benefit, around.venues);
      for (const rule of RULES)
        for (const fault of [rule(own, around) ?? []].flat()) yield { ...fault, path: below(path, fault.path) };
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

/** Refuses a window that never opens. */
function findWindowFaults(when: WhenDefinition, place: string): Fault[] {
  const { from: first, to: last, weekdays, hours } = when;
  if (first === undefined || last === undefined) return [];
  const begin = beginOf(first);
  const end = parseMoment(last) ?? beginOf(last) + MINUTES_PER_DAY;
  if (end <= begin) {
    const allowed = parseMoment(last) === undefined ? `a date from ${first} on` : `a time after ${first}`;
    return [wrong(`${place}.to`, last, allowed)];
  }
  if (opensAfter(compileWindow(when)!, begin)) return [];
  const from = Math.floor(begin / MINUTES_PER_DAY);
  const to = Math.floor((end - 1) / MINUTES_PER_DAY);
  const days = Math.min(to - from + 1, DAYS_PER_WEEK);
  const possible = Array.from({ length: days }, (_, day) => WEEKDAYS[weekdayOf(from + day)]!);
  if (weekdays?.length && !weekdays.some((weekday) => possible.includes(weekday))) {
    return [wrong(`${place}.weekdays`, weekdays, `${oneOf(possible)}, the days from ${first} to ${last}`)];
  }
  return [wrong(`${place}.hours`, hours, `hours of which some are between ${first} and ${last}`)];
}

/** The first minute of a date, or of a date with a time. */
function beginOf(text: string): number {
  return parseMoment(text) ?? parseDate(text)! * MINUTES_PER_DAY;
}

function findShareFaults({ share }: WhenDefinition, place: string): Fault[] {
  if (!share || share.below > share.from) return [];
  return [wrong(`${place}.share.below`, share.below, `a whole number from ${share.from + 1} to ${SHARE_PARTS}`)];
}

function findVenueFaults({ venueIds = [] }: WhenDefinition, known: readonly string[], place: string): Fault[] {
  return [...venueIds.entries()].flatMap(([v, venueId]) =>
    known.includes(venueId) ? [] : unknownName(`${place}.venueIds[${v}]`, venueId, known),
  );
}

/** Refuses an amount without a currency where it could mean one or another. */
function bareAmounts({ benefit }: WrittenBenefit, { venues }: Around): Fault[] {
  const currencies = [...new Set(venues.flatMap((venue) => venue.currencies))];
  if (currencies.length < 2) return [];
  const map = currencies.map((currency) => `${currency}: …`).join(', ');
  const allowed = `amounts by currency, { ${map} }, because the venues of the programme have ${currencies.join(' and ')}`;
  return amountsOf(benefit).flatMap(([field, amount]) => (isBare(amount) ? wrong(field, amount, allowed) : []));
}

/** Refuses a bundle that says in two ways, or in none, what it costs. */
function bundleWithoutOnePrice({ benefit }: WrittenBenefit): Fault | undefined {
  if (benefit.kind !== 'bundle_price') return undefined;
  const said = (['bundlePrice', 'percent', 'amount'] as const).filter((name) => benefit[name] !== undefined);
  if (said.length === 1) return undefined;
  const found = said.length === 0 ? 'no price of the bundle' : said.join(' and ');
  return { path: '', found, allowed: 'one of bundlePrice, percent and amount' };
}

/** Refuses bought units that share what is given and yet are open to other benefits: a unit takes one. */
function spreadAndCombinable({ benefit }: WrittenBenefit): Fault | undefined {
  if (benefit.kind !== 'buy_x_get_y' || !benefit.spread || !benefit.buy.combinable) return undefined;
  const allowed = 'false where spread is true: the bought units share what is given, and a unit takes one benefit';
  return wrong('buy.combinable', true, allowed);
}

/** Refuses to ask for complete sets where one unit is given: it is there or not. */
function completeUnit({ benefit }: WrittenBenefit): Fault | undefined {
  if (benefit.kind !== 'buy_x_get_y' || !benefit.get.complete || benefit.get.quantity > 1) return undefined;
  const allowed = 'true where get.quantity is 2 or more: a set that gives one unit is always complete';
  return wrong('get.complete', true, allowed);
}

/** Refuses a minimum on what lines cost after line-level benefits where none come before, or where there is no minimum. */
function netMinimum({ benefit }: WrittenBenefit): Fault | undefined {
  const { minimumSpend, minimumSpendBasis } = benefit;
  const isOfOrder = kindOf(benefit).level === 'order';
  if (minimumSpendBasis !== 'net' || (isOfOrder && minimumSpend !== undefined)) return undefined;
  const allowed = isOfOrder
    ? 'net together with minimumSpend'
    : 'incoming: only order_percent and order_amount come after the benefits that make lines cheaper';
  return wrong('minimumSpendBasis', minimumSpendBasis, allowed);
}

/** Refuses to count the units of all lines where no minimum asks for any. */
function minimumOfNothing({ benefit: { minimumQuantity, minimumQuantityOn } }: WrittenBenefit): Fault | undefined {
  if (minimumQuantityOn !== 'basket' || minimumQuantity !== undefined) return undefined;
  return wrong('minimumQuantityOn', minimumQuantityOn, 'basket together with minimumQuantity');
}

/** Refuses to take the cheapest of all units: where nothing limits their number, all are taken. */
function cheapestOfAll({ benefit, limits }: WrittenBenefit): Fault | undefined {
  if (benefit.kind === 'buy_x_get_y' || !('pick' in benefit) || benefit.pick !== 'cheapest') return undefined;
  if (benefit.maximumUnits !== undefined || limits.some(([, { counts }]) => counts === 'items')) return undefined;
  return wrong('pick', 'cheapest', 'cheapest together with maximumUnits, or with a limit that counts items');
}

/** Refuses a group that the programme does not define. */
function unknownGroup({ benefit: { group } }: WrittenBenefit, { programme }: Around): Fault | undefined {
  const known = Object.keys(programme.groups ?? {});
  // Of groups with an error nobody knows which there are.
  const areUnsound = 'groups' in programme && programme.groups === undefined;
  if (group === undefined || areUnsound || known.includes(group)) return undefined;
  const fault = unknownName('group', group, known);
  const allowed =
    known.length === 0
      ? `a group of the programme, which has none yet: groups: { ${group}: { atMost: 1 } }`
      : `${fault.allowed}, from \`groups\` of the programme`;
  return { ...fault, allowed };
}

/** An added product must be in the product list of every venue where it may be given, with a price, and discountable. */
function unusableProduct({ benefit, venues }: WrittenBenefit): Fault[] {
  const productId = kindOf(benefit).addedProductId?.(benefit);
  if (productId === undefined) return [];
  const refuse = (allowed: string) => wrong('productId', productId, allowed);
  return venues.flatMap(({ venueId, products = [] }) => {
    const product = products.find((own) => own.productId === productId);
    if (product?.noDiscount) return refuse(`a product that venue ${venueId} may discount`);
    if (product) return product.unitPrice > 0 ? [] : refuse(`a product that costs something at venue ${venueId}`);
    const known = products.map((own) => own.productId);
    const fault = refuse(`a product from the \`products\` of venue ${venueId}, ${oneOf(known)}`);
    return { ...fault, unknown: { name: productId, known } };
  });
}
