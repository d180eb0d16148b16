import { readFileSync } from 'node:fs';
import { findRequestFaults } from '@loyalty/contract/basket/identities';
import { parseJson } from '@loyalty/contract/basket/parse-json';
import { findAllFaults } from '@loyalty/contract/basket/schema';
import { BasketRequest, basketLineFields } from '@loyalty/contract/basket-request';
import type { RefusalDetails } from '@loyalty/contract/errors';
import { multiplyQuantity } from '@loyalty/contract/money/quantity';
import { percentOf, toHundredths } from '@loyalty/contract/money/round';
import type { Venue } from '@loyalty/engine/types';
import { MADE_UP_ID } from '../../../../src/programme/made-up-basket.ts';

/**
 * The basket of `price`: the whole body of a basket call, or as short as the pages show it, a list of lines or an object with
 * `lines`. What it leaves out is filled in as an ordinary till would send it.
 */

export interface BasketFile {
  readonly basket: BasketRequest;
  /** What was filled in, for people: `currency (NOK)`. */
  readonly filledIn: readonly string[];
  /** JSON Pointers to what no basket has: it may be mistyped. */
  readonly ignored: readonly string[];
  /** What the pages say beside a basket: the member, and what is left of limits. */
  readonly member: Readonly<Record<string, unknown>> | undefined;
  readonly left: Readonly<Record<string, number>>;
}

type Mapping = Record<string, unknown>;

/** Reads the file. Throws with every fault at once, each on a line. */
export function readBasketFile(file: string, venues: readonly Venue[], loyaltyId: string | undefined): BasketFile {
  const parsed = parseJson(readFileSync(file));
  if (!parsed.ok) throw new Error(`${file}: ${parsed.refusal.message}`);
  const written = Array.isArray(parsed.value) ? { lines: parsed.value } : parsed.value;
  if (!isMapping(written)) throw new Error(`${file}: a basket is an object with lines, or a list of lines`);
  const { member, left, ...fields } = written;
  const filledIn = new Set<string>();
  const basket = withDefaults(fields, venues, loyaltyId, filledIn);
  const faults = faultsOf(basket);
  const own = faults.filter(({ field = '' }) => !isDerived(field) || valueAt(fields, field) !== undefined);
  const told = own.length > 0 ? own : faults;
  if (told.length > 0) throw new Error(told.map((fault) => `${file}: ${describe(fault, fields, venues)}`).join('\n'));
  return {
    basket: basket as BasketRequest,
    filledIn: [...filledIn],
    ignored: unknownFieldsOf(fields),
    member: isMapping(member) ? member : undefined,
    left: isMapping(left) ? (left as Record<string, number>) : {},
  };
}

function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A till may send more than a basket has, and a person has mistyped it. */
function unknownFieldsOf({ lines, ...fields }: Mapping): string[] {
  const unknown = (own: Mapping, known: object, pointer: string) =>
    Object.keys(own).flatMap((name) => (Object.hasOwn(known, name) ? [] : [`${pointer}/${name}`]));
  const ofLines = (lines as Mapping[]).flatMap((line, at) => unknown(line, basketLineFields, `/lines/${at}`));
  return [...unknown(fields, BasketRequest.properties, ''), ...ofLines];
}

/** Computed from other fields: where these have faults of their own, it only repeats them. */
function isDerived(pointer: string): boolean {
  return /^\/totals|\/(original|order)LinePrice$/.test(pointer);
}

/** What the file has at a JSON Pointer. */
function valueAt(value: unknown, pointer: string): unknown {
  const names = pointer.split('/').slice(1);
  return names.reduce<unknown>((own, name) => (own as Mapping | undefined)?.[name], value);
}

function faultsOf(basket: unknown): RefusalDetails[] {
  const faults = findAllFaults(BasketRequest, basket);
  if (faults.length > 0) return faults;
  const { reference, mismatch } = findRequestFaults(basket as BasketRequest);
  return [reference ?? [], mismatch ?? []].flat();
}

function describe(
  { field = '', expected, received }: RefusalDetails,
  fields: Mapping,
  venues: readonly Venue[],
): string {
  const line = valueAt(fields, field.replace(/\/unitPrice$/, '')) as Mapping | undefined;
  const unlisted = field.endsWith('/unitPrice') && line?.['unitPrice'] === undefined ? line?.['productId'] : undefined;
  const why =
    unlisted === undefined ? '' : `: product ${unlisted} is not in the list of ${venueOf(fields, venues)?.venueId}`;
  return `${field}: expected ${expected}, received ${received}${why}`;
}

/** The venue that the basket names, or the first one. */
function venueOf({ context }: Mapping, venues: readonly Venue[]): Venue | undefined {
  const named = isMapping(context) ? context['venueId'] : undefined;
  return venues.find(({ venueId }) => venueId === named) ?? venues[0];
}

function withDefaults(
  fields: Mapping,
  venues: readonly Venue[],
  loyaltyId: string | undefined,
  filledIn: Set<string>,
): Mapping {
  const fill = (name: string, value: unknown, shown?: unknown): unknown => {
    if (fields[name] !== undefined) return fields[name];
    filledIn.add(shown === undefined ? name : `${name} (${String(shown)})`);
    return value;
  };
  const context: Mapping = isMapping(fields['context']) ? fields['context'] : {};
  const venue = venueOf(fields, venues);
  const filledInLines = new Set<string>();
  const lines = Array.isArray(fields['lines'])
    ? fields['lines'].map((line: unknown, at) =>
        isMapping(line) ? completeLine(line, at, venue, filledInLines) : line,
      )
    : fields['lines'];
  if (filledInLines.size > 0) filledIn.add(`lines (${[...filledInLines].join(', ')})`);
  const currency = fields['currency'] ?? venue?.currencies[0];
  const now = new Date().toISOString();
  return {
    ...fields,
    calculationId: fill('calculationId', MADE_UP_ID),
    loyaltyId: fill('loyaltyId', loyaltyId ?? 'made-up'),
    currency: fill('currency', currency, currency),
    requestedAt: fill('requestedAt', now, now),
    context: completeContext(context, venue, filledIn),
    lines,
    orderDiscounts: fill('orderDiscounts', []),
    totals: fill('totals', Array.isArray(lines) ? totalsOf(lines) : undefined),
  };
}

function completeContext(context: Mapping, venue: Venue | undefined, filledIn: Set<string>): Mapping {
  const known = {
    ...{ venueId: venue?.venueId, baxId: venue?.terminalSetups[0], cashRegisterId: 'made-up', channel: 'pos' },
  };
  if (Object.keys(known).some((name) => context[name] === undefined))
    filledIn.add(`context (${String(known.venueId)})`);
  return { ...known, ...context };
}

/** A line as the till would send it; a product of the venue's list needs its productId alone. */
function completeLine(line: Mapping, at: number, venue: Venue | undefined, filledIn: Set<string>): Mapping {
  const listed = venue?.products.get(String(line['productId']));
  const known: Mapping = {
    lineId: String(at + 1),
    productId: `product-${at + 1}`,
    name: 'Product',
    quantity: 1,
    noDiscount: false,
    noPercentageDiscount: false,
    orderDiscountAllocation: [],
    ...listed,
    ...line,
  };
  const [quantity, unitPrice] = [Number(known['quantity']), Number(known['unitPrice'])];
  const canMultiply = quantity > 0 && Number.isSafeInteger(unitPrice);
  const original =
    known['originalLinePrice'] ?? (canMultiply ? Number(multiplyQuantity(quantity, unitPrice)) : undefined);
  const percent = known['existingLineDiscountPercent'];
  const discount = known['existingLineDiscountAmount'] ?? amountOf(percent, original);
  const type = percent !== undefined ? 'percent' : Number(discount) > 0 ? 'amount' : 'none';
  const complete = {
    ...known,
    existingLineDiscountType: known['existingLineDiscountType'] ?? type,
    existingLineDiscountAmount: discount,
    originalLinePrice: original,
    orderLinePrice: known['orderLinePrice'] ?? Number(original) - Number(discount) - allocated(known),
  };
  for (const name of Object.keys(complete)) if (line[name] === undefined) filledIn.add(name);
  return complete;
}

/** What a percentage of the staff comes to: a call has the amount beside it. One that is none is told as a fault. */
function amountOf(percent: unknown, original: unknown): number {
  const hundredths = typeof percent === 'number' ? toHundredths(percent) : undefined;
  return hundredths !== undefined && Number.isSafeInteger(original) ? percentOf(Number(original), hundredths) : 0;
}

function allocated({ orderDiscountAllocation: shares }: Mapping): number {
  if (!Array.isArray(shares)) return 0;
  return shares.reduce((sum: number, share) => sum + Number(share?.orderDiscountAllocationAmount ?? 0), 0);
}

function totalsOf(lines: readonly unknown[]): Mapping {
  const sumOf = (amount: (line: Mapping) => number): number =>
    lines.reduce((sum: number, line) => sum + (isMapping(line) ? amount(line) : 0), 0);
  return {
    originalTotal: sumOf((line) => Number(line['originalLinePrice'])),
    existingDiscountTotal: sumOf((line) => Number(line['existingLineDiscountAmount'])),
    orderDiscountTotal: sumOf(allocated),
    loyaltyDiscountTotal: 0,
    total: sumOf((line) => Number(line['orderLinePrice'])),
  };
}
