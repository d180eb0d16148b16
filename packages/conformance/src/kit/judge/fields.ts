import { hasTwoDecimals } from '../decimal.ts';
import { isRecord } from '../exchange.ts';

/**
 * The fields of every answer, written out by hand (interface, sections 2 and 4). Fields that are not listed
 * pass: a caller must ignore what it does not know (interface, section 9).
 */

/** Says what is wrong with a value, undefined when it is right. */
type Rule = (value: unknown, path: string) => string[];

function rule(isRight: (value: unknown) => boolean, expected: string): Rule {
  return (value, path) => (isRight(value) ? [] : [`${path}: expected ${expected}, found ${show(value)}`]);
}

function show(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 60) ?? String(value);
}

export const UUID_IN_ANY_CASE = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const isMoney = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const isText = (value: unknown, maximum: number): boolean => typeof value === 'string' && [...value].length <= maximum;
const isUuid = (value: unknown): boolean =>
  typeof value === 'string' && UUID_IN_ANY_CASE.test(value) && value === value.toLowerCase();
const isPercent = (value: unknown): boolean =>
  typeof value === 'number' && value >= 0 && value <= 100 && hasTwoDecimals(value);

const uuid = rule(isUuid, 'a lower-case UUID');
const anyUuid = rule((value) => typeof value === 'string' && UUID_IN_ANY_CASE.test(value), 'a UUID');
const money = rule(isMoney, 'whole minor units, 0 or more');
const percent = rule(isPercent, 'a percentage from 0 to 100 with at most two decimals');
const quantity = rule((value) => typeof value === 'number' && value > 0, 'a number above 0');
const flag = rule((value) => typeof value === 'boolean', 'true or false');
const text = rule((value) => typeof value === 'string', 'text');
const someText = rule((value) => typeof value === 'string' && value !== '', 'text that is not empty');
const text40 = rule((value) => isText(value, 40), 'text of at most 40 characters');
const text200 = rule((value) => isText(value, 200), 'text of at most 200 characters');
const record = rule(isRecord, 'an object');

function oneOf(...values: readonly string[]): Rule {
  return rule((value) => values.includes(value as string), `one of ${values.join(', ')}`);
}

function listOf(item: Rule): Rule {
  return (value, path) => {
    if (!Array.isArray(value)) return [`${path}: expected a list, found ${show(value)}`];
    return value.flatMap((entry, index) => item(entry, `${path}/${index}`));
  };
}

function object(required: Readonly<Record<string, Rule>>, optional: Readonly<Record<string, Rule>> = {}): Rule {
  return (value, path) => {
    if (!isRecord(value)) return [`${path || '/'}: expected an object, found ${show(value)}`];
    const missing = Object.keys(required).filter((name) => value[name] === undefined);
    const known = Object.entries({ ...required, ...optional }).filter(([name]) => value[name] !== undefined);
    return [
      ...missing.map((name) => `${path}/${name}: is missing`),
      ...known.flatMap(([name, check]) => check(value[name], `${path}/${name}`)),
    ];
  };
}

/** Some fields must be absent: their presence tells the caller something else than the status does. */
function without(rules: Rule, absent: readonly string[]): Rule {
  return (value, path) => [
    ...rules(value, path),
    ...absent
      .filter((name) => isRecord(value) && value[name] !== undefined)
      .map((name) => `${path}/${name}: must be absent`),
  ];
}

const discountType = oneOf('none', 'amount', 'percent');

const line = object(
  {
    lineId: someText,
    productId: someText,
    name: text,
    quantity,
    unitPrice: money,
    originalLinePrice: money,
    noDiscount: flag,
    noPercentageDiscount: flag,
    existingLineDiscountType: discountType,
    existingLineDiscountAmount: money,
    orderDiscountAllocation: listOf(object({ orderDiscountId: someText, orderDiscountAllocationAmount: money })),
    orderLinePrice: money,
    lineDiscountType: discountType,
    lineDiscountAmount: money,
    showLineDiscountText: flag,
  },
  {
    productMasterId: text,
    productGroupId: text,
    ean: text,
    parentLineId: text,
    existingLineDiscountPercent: percent,
    existingLineDiscountText: text40,
    existingLineDiscountCampaignId: text,
    lineDiscountPercent: percent,
    lineDiscountText: text40,
    lineDiscountCode: someText,
    overrideUnitPrice: money,
    addedByLoyalty: flag,
    splitFromLineId: someText,
  },
);

const orderDiscount = object(
  { orderDiscountId: someText, type: oneOf('amount', 'percent'), amount: money },
  { percent, text: text40, campaignId: text, discountCode: text },
);

const totals = object({
  originalTotal: money,
  existingDiscountTotal: money,
  orderDiscountTotal: money,
  loyaltyDiscountTotal: money,
  total: money,
});

const APPLIED_ONLY = ['lines', 'totals', 'orderDiscounts', 'receiptFooterText'];

/** Faults in the fields of a `200` basket answer, by its status (interface, section 2, BasketResponse). */
const basketAnswers: Readonly<Record<string, Rule>> = {
  applied: without(
    object(
      { calculationId: uuid, lines: listOf(line), orderDiscounts: listOf(orderDiscount), totals },
      { memberLabel: text40, receiptFooterText: text200 },
    ),
    ['reason'],
  ),
  // New reasons may be added, so any text that is not empty is one.
  unchanged: without(object({ calculationId: uuid, reason: someText }, { memberLabel: text40 }), APPLIED_ONLY),
  member_not_found: without(object({ calculationId: uuid }), [...APPLIED_ONLY, 'reason', 'memberLabel']),
};

export function basketAnswerFaults(body: unknown): string[] {
  const status = isRecord(body) ? body['status'] : undefined;
  const rules = typeof status === 'string' && Object.hasOwn(basketAnswers, status) ? basketAnswers[status] : undefined;
  return rules ? rules(body, '') : [`/status: expected one of the three statuses, found ${show(status)}`];
}

/** Faults in a `200` answer to a sale event (interface, section 2). */
export const saleAnswerFaults = (body: unknown): string[] =>
  object({ result: oneOf('recorded', 'duplicate', 'unknown_calculation') })(body, '');

/** Faults in the form of an Error body (interface, section 2). */
export const errorBodyFaults = (body: unknown): string[] =>
  object({ error: object({ code: someText, message: someText, requestId: anyUuid }, { details: record }) })(body, '');
