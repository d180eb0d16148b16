import { kindOf } from '../pricing/benefits/register.ts';
import { parseDate, weekdayOf } from '../pricing/calendar.ts';
import type { BenefitDefinition } from '../pricing/definition.ts';
import { WEEKDAYS } from '../pricing/window.ts';
import { BENEFIT_SCHEMAS } from './benefit-schema.ts';
import { compileCheck } from './check.ts';
import { type Fault, oneOf, show } from './configuration-error.ts';
import { findDuplicate } from './duplicates.ts';
import type { EnvironmentFile, VenueEntry } from './schema.ts';

/** Benefits, each checked against the schema of its kind and against the rest of the file. */

type File = Pick<EnvironmentFile, 'venues' | 'programmes'>;

const checks = new Map([...BENEFIT_SCHEMAS].map(([kind, schema]) => [kind, compileCheck(schema)]));
const DAYS_PER_WEEK = 7;

/** Finds the first fault of any benefit, in file order. */
export function findBenefitFault({ venues, programmes }: File): Fault | undefined {
  for (const [p, programme] of programmes.entries()) {
    const own = venues.filter(({ programmeId }) => programmeId === programme.programmeId);
    const benefits = (programme.benefits ?? []) as BenefitDefinition[];
    for (const [b, benefit] of benefits.entries()) {
      const path = `programmes[${p}].benefits[${b}]`;
      const check = checks.get(benefit.kind);
      if (!check) return { path: `${path}.kind`, found: show(benefit.kind), allowed: oneOf([...checks.keys()]) };
      const fault =
        check(benefit, path) ??
        findWindowFault(benefit, path) ??
        findVenueFault(benefit, venues, path) ??
        findSelectorFault(benefit, path) ??
        findProductFault(benefit, own, path);
      if (fault) return fault;
    }
    const twice = findDuplicate(benefits, ({ benefitId }, b) => [
      [benefitId, `programmes[${p}].benefits[${b}].benefitId`],
    ]);
    if (twice) return twice;
  }
  return undefined;
}

/** Refuses a window that never opens. */
function findWindowFault({ when }: BenefitDefinition, path: string): Fault | undefined {
  if (when?.from === undefined || when.to === undefined) return undefined;
  const from = parseDate(when.from)!;
  const to = parseDate(when.to)!;
  if (to < from) return { path: `${path}.when.to`, found: show(when.to), allowed: `a date from ${when.from} on` };
  if (!when.weekdays?.length || to - from >= DAYS_PER_WEEK - 1) return undefined;
  const possible = Array.from({ length: to - from + 1 }, (_, day) => WEEKDAYS[weekdayOf(from + day)]!);
  if (when.weekdays.some((weekday) => possible.includes(weekday))) return undefined;
  const allowed = `${oneOf(possible)}, the days from ${when.from} to ${when.to}`;
  return { path: `${path}.when.weekdays`, found: show(when.weekdays), allowed };
}

function findVenueFault({ when }: BenefitDefinition, venues: readonly VenueEntry[], path: string): Fault | undefined {
  const known = venues.map(({ venueId }) => venueId);
  const unknown = (when?.venueIds ?? []).findIndex((venueId) => !known.includes(venueId));
  if (unknown < 0) return undefined;
  return { path: `${path}.when.venueIds[${unknown}]`, found: show(when?.venueIds?.[unknown]), allowed: oneOf(known) };
}

/** Refuses a selector that excludes every product that it names, and therefore matches no line. */
function findSelectorFault(benefit: BenefitDefinition, path: string): Fault | undefined {
  for (const { place, selector } of kindOf(benefit).selections(benefit)) {
    const { productIds, productMasterIds, productGroupIds, eans, excludeProductIds } = selector;
    if (!productIds || productMasterIds || productGroupIds || eans) continue;
    if (!productIds.every((productId) => excludeProductIds?.includes(productId))) continue;
    const allowed = 'a list that leaves one of productIds';
    return { path: `${path}.${place}.excludeProductIds`, found: show(excludeProductIds), allowed };
  }
  return undefined;
}

/** An added product must be in the product list of every venue where it may be given, with a price, and discountable. */
function findProductFault(benefit: BenefitDefinition, venues: readonly VenueEntry[], path: string): Fault | undefined {
  const productId = kindOf(benefit).addedProductId?.(benefit);
  if (productId === undefined) return undefined;
  for (const venue of venues.filter(({ venueId }) => isGivenAt(benefit, venueId))) {
    const products = venue.products ?? [];
    const product = products.find((own) => own.productId === productId);
    const place = { path: `${path}.productId`, found: show(productId) };
    if (!product)
      return { ...place, allowed: `a product of venue ${venue.venueId}, ${oneOf(products.map((p) => p.productId))}` };
    if (product.noDiscount) return { ...place, allowed: `a product that venue ${venue.venueId} may discount` };
    if (product.unitPrice === 0)
      return { ...place, allowed: `a product that costs something at venue ${venue.venueId}` };
  }
  return undefined;
}

function isGivenAt({ when }: BenefitDefinition, venueId: string): boolean {
  return !when?.venueIds?.length || when.venueIds.includes(venueId);
}
