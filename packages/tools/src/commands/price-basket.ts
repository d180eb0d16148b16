import { readFileSync } from 'node:fs';
import { findRequestFaults } from '@loyalty/contract/basket/identities';
import { parseJson } from '@loyalty/contract/basket/parse-json';
import { findAllFaults } from '@loyalty/contract/basket/schema';
import { BasketRequest } from '@loyalty/contract/basket-request';
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
  for (const [name, value] of Object.entries({ member, left })) {
    if (value !== undefined && !isMapping(value))
      throw new Error(`${file}: ${name}: found ${JSON.stringify(value)}, allowed: an object`);
  }
  const context = isMapping(fields['context']) ? fields['context'] : {};
  const venue = venues.find(({ venueId }) => venueId === context['venueId']) ?? venues[0];
  const { basket, filledIn } = complete(fields, context, venue, loyaltyId);
  const faults = faultsOf(basket);
  // What is computed from other fields only repeats their faults.
  const own = faults.filter(({ field = '' }) => !isDerived(field) || valueAt(fields, field) !== undefined);
  const told = own.length > 0 ? own : faults;
  if (told.length > 0) throw new Error(told.map((fault) => `${file}: ${describe(fault, fields, venue)}`).join('\n'));
  return {
    basket: basket as BasketRequest,
    filledIn,
    ignored: unknownFieldsOf(fields, BasketRequest as Schema, ''),
    member: isMapping(member) ? member : undefined,
    left: isMapping(left) ? (left as Record<string, number>) : {},
  };
}

function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A till may send more than a basket has, and a person has mistyped it. */
function unknownFieldsOf(value: unknown, { properties, items }: Schema, pointer: string): string[] {
  if (items && Array.isArray(value))
    return value.flatMap((item, at) => unknownFieldsOf(item, items, `${pointer}/${at}`));
  if (!properties || !isMapping(value)) return [];
  return Object.entries(value).flatMap(([name, own]) => {
    const place = `${pointer}/${name}`;
    return Object.hasOwn(properties, name) ? unknownFieldsOf(own, properties[name]!, place) : [place];
  });
}

/** As much of a schema as tells known fields. */
interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

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

function describe({ field = '', expected, received }: RefusalDetails, fields: Mapping, venue?: Venue): string {
  const line = valueAt(fields, field.replace(/\/unitPrice$/, '')) as Mapping | undefined;
  const isUnlisted = field.endsWith('/unitPrice') && line?.['unitPrice'] === undefined && line?.['productId'];
  const why = isUnlisted ? `: product ${line['productId']} is not in the list of ${venue?.venueId}` : '';
  return `${field}: expected ${expected}, received ${received}${why}`;
}

/** Fills in what the file leaves out. */
function complete(fields: Mapping, ownContext: Mapping, venue: Venue | undefined, loyaltyId: string | undefined) {
  const filledInLines = new Set<string>();
  const lines = Array.isArray(fields['lines'])
    ? fields['lines'].map((line: unknown, at) => {
        if (!isMapping(line)) return line;
        const completed = completeLine(line, at, venue);
        for (const name of missing(completed, line)) filledInLines.add(name);
        return completed;
      })
    : fields['lines'];
  const context = {
    venueId: venue?.venueId,
    baxId: venue?.terminalSetups[0],
    cashRegisterId: 'made-up',
    channel: 'pos',
  };
  const known: Mapping = {
    calculationId: MADE_UP_ID,
    loyaltyId: loyaltyId ?? 'made-up',
    currency: venue?.currencies[0],
    requestedAt: new Date().toISOString(),
    orderDiscounts: [],
    totals: Array.isArray(lines) ? totalsOf(lines) : undefined,
  };
  const filledIn = missing(known, fields).map((name) =>
    name === 'currency' || name === 'requestedAt' ? `${name} (${known[name]})` : name,
  );
  if (missing(context, ownContext).length > 0) filledIn.push(`context (${context.venueId})`);
  if (filledInLines.size > 0) filledIn.unshift(`lines (${[...filledInLines].join(', ')})`);
  const { context: own = {} } = fields;
  const completed = isMapping(own) ? { ...context, ...ownContext } : own;
  return { basket: { ...known, ...fields, context: completed, lines }, filledIn };
}

/** The names that the file does not have. */
function missing(known: object, own: Mapping): string[] {
  return Object.keys(known).filter((name) => own[name] === undefined);
}

/** A line as the till would send it; a product of the venue's list needs its productId alone. */
function completeLine(line: Mapping, at: number, venue: Venue | undefined): Mapping {
  const known: Mapping = {
    lineId: String(at + 1),
    productId: `product-${at + 1}`,
    name: 'Product',
    quantity: 1,
    noDiscount: false,
    noPercentageDiscount: false,
    orderDiscountAllocation: [],
    ...venue?.products.get(String(line['productId'])),
    ...line,
  };
  const [quantity, unitPrice] = [Number(known['quantity']), Number(known['unitPrice'])];
  const canMultiply = quantity > 0 && Number.isSafeInteger(unitPrice);
  const original =
    known['originalLinePrice'] ?? (canMultiply ? Number(multiplyQuantity(quantity, unitPrice)) : undefined);
  const percent = known['existingLineDiscountPercent'];
  const discount = known['existingLineDiscountAmount'] ?? amountOf(percent, original);
  const type = percent !== undefined ? 'percent' : Number(discount) > 0 ? 'amount' : 'none';
  const derived = {
    existingLineDiscountType: type,
    existingLineDiscountAmount: discount,
    originalLinePrice: original,
    orderLinePrice: Number(original) - Number(discount) - allocated(known),
  };
  return { ...known, ...derived, ...line };
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
  const sumOf = (amount: (line: Mapping) => unknown): number =>
    lines.reduce((sum: number, line) => sum + (isMapping(line) ? Number(amount(line)) : 0), 0);
  return {
    originalTotal: sumOf((line) => line['originalLinePrice']),
    existingDiscountTotal: sumOf((line) => line['existingLineDiscountAmount']),
    orderDiscountTotal: sumOf(allocated),
    loyaltyDiscountTotal: 0,
    total: sumOf((line) => line['orderLinePrice']),
  };
}
