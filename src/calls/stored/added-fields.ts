import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { BasketResponse } from '@loyalty/contract/basket-response';
import { MAX_ANSWER_BYTES } from '@loyalty/contract/limits';

/**
 * Fields of an answer that the digest does not know. The digest renders the fields below and no others, whatever the renderer
 * of the day adds: a field that the interface gets later is left out of a replay of an answer that was given without it. An
 * answer that was given with such a field keeps it literally behind its digest, so a version before the field replays it too.
 */

/** The fields of an object in their order; one that holds an object, or a list of objects, has fields of its own. */
interface Fields {
  readonly names: readonly string[];
  /** By the place of the name. */
  readonly inner: readonly (Fields | undefined)[];
}

/** Where a field stands: the object by its number in the order of the answer, its place among the fields, name and value. */
type AddedField = readonly [object: number, place: number, name: string, value: unknown];

function fields(names: string, inner: Readonly<Record<string, Fields>> = {}): Fields {
  const list = names.split(' ');
  return { names: list, inner: list.map((name) => inner[name]) };
}

const ALLOCATION = fields('orderDiscountId orderDiscountAllocationAmount');
const LINE = fields(
  `lineId productId productMasterId productGroupId ean name quantity unitPrice originalLinePrice parentLineId noDiscount \
noPercentageDiscount existingLineDiscountType existingLineDiscountAmount existingLineDiscountPercent existingLineDiscountText \
existingLineDiscountCampaignId orderDiscountAllocation lineDiscountType lineDiscountPercent lineDiscountAmount lineDiscountText \
showLineDiscountText lineDiscountCode overrideUnitPrice addedByLoyalty splitFromLineId orderLinePrice`,
  { orderDiscountAllocation: ALLOCATION },
);

/** What a digest renders, frozen like its layout: a field is never added here. */
const FROZEN: Readonly<Record<BasketResponse['status'], Fields>> = {
  member_not_found: fields('calculationId status'),
  unchanged: fields('calculationId status reason memberLabel'),
  applied: fields('calculationId status memberLabel receiptFooterText lines orderDiscounts totals', {
    lines: LINE,
    orderDiscounts: fields('orderDiscountId type amount percent text campaignId discountCode'),
    totals: fields('originalTotal existingDiscountTotal orderDiscountTotal loyaltyDiscountTotal total'),
  }),
};

/** Deflate's bound for what is read back: names and places take more than the answer in which the fields stand. */
const MAX_ADDED_BYTES = 4 * MAX_ANSWER_BYTES;

/** What has to stand behind the digest of this answer; undefined where the digest renders all of it. */
export function packAddedFields(answer: BasketResponse): Buffer | undefined {
  const frozen = FROZEN[answer.status];
  if (hasFrozenFieldsOnly(answer, frozen)) return undefined;
  const added: AddedField[] = [];
  collect(answer, frozen, { next: 0 }, added);
  return added.length === 0 ? undefined : deflateRawSync(Buffer.from(JSON.stringify(added)));
}

/** The answer as it was given: with the frozen fields of what is rendered today, and those that stand in `packed`. */
export function withFieldsAsGiven(answer: BasketResponse, packed: Buffer): object {
  const frozen = FROZEN[answer.status];
  if (packed.length === 0 && hasFrozenFieldsOnly(answer, frozen)) return answer;
  const added = Map.groupBy(packed.length === 0 ? [] : unpack(packed), ([object]) => object);
  return rebuild(answer, frozen, { next: 0 }, added);
}

function unpack(packed: Buffer): readonly AddedField[] {
  return JSON.parse(inflateRawSync(packed, { maxOutputLength: MAX_ADDED_BYTES }).toString());
}

/** The usual case, for which nothing is allocated or hashed: frozen fields in their frozen order, any of them left out. */
function hasFrozenFieldsOnly(value: object, frozen: Fields): boolean {
  if (Array.isArray(value)) {
    for (const item of value) if (!hasFrozenFieldsOnly(item, frozen)) return false;
    return true;
  }
  const { names, inner } = frozen;
  let at = 0;
  for (const name in value) {
    while (at < names.length && names[at] !== name) at += 1;
    if (at === names.length) return false;
    const within = inner[at];
    if (within && !hasFrozenFieldsOnly(value[name as keyof typeof value], within)) return false;
  }
  return true;
}

function collect(value: object, frozen: Fields, counter: { next: number }, added: AddedField[]): void {
  if (Array.isArray(value)) {
    for (const item of value) collect(item, frozen, counter, added);
    return;
  }
  const object = counter.next++;
  let place = 0;
  for (const [name, field] of Object.entries(value)) {
    // JSON leaves these out.
    if (field === undefined) continue;
    const at = frozen.names.indexOf(name);
    const inner = frozen.inner[at];
    if (at < 0) added.push([object, place, name, field]);
    else if (inner) collect(field, inner, counter, added);
    place += 1;
  }
}

function rebuild(
  value: object,
  frozen: Fields,
  counter: { next: number },
  added: ReadonlyMap<number, readonly AddedField[]>,
): object {
  if (Array.isArray(value)) return value.map((item) => rebuild(item, frozen, counter, added));
  const object = counter.next++;
  const entries: [string, unknown][] = [];
  for (const [name, field] of Object.entries(value)) {
    const at = frozen.names.indexOf(name);
    if (at < 0 || field === undefined) continue;
    const inner = frozen.inner[at];
    entries.push([name, inner ? rebuild(field, inner, counter, added) : field]);
  }
  for (const [, place, name, field] of added.get(object) ?? []) entries.splice(place, 0, [name, field]);
  return Object.fromEntries(entries);
}
