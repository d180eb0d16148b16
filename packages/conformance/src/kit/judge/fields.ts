import type { BasketRequest } from '@loyalty/contract/basket-request';
import { isRecord } from '../exchange.ts';
import { hasTwoDecimals } from './decimal.ts';

/**
 * The fields of every answer, written out by hand (interface, sections 2 and 4). Unlisted fields pass, because a caller
 * must ignore unknown ones (interface, section 9). A closed reading reports them too.
 */

interface Reading {
  readonly faults: string[];
  readonly isClosed: boolean;
}

/** Adds a value's faults to the list. */
type Rule = (value: unknown, path: string, reading: Reading) => void;

function rule(isRight: (value: unknown) => boolean, expected: string): Rule {
  return (value, path, { faults }) => {
    if (!isRight(value)) faults.push(`${path}: expected ${expected}, found ${show(value)}`);
  };
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
// JSON text such as 1e400 is read as Infinity.
const quantity = rule((value) => Number.isFinite(value) && (value as number) > 0, 'a number above 0');
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
  return (value, path, reading) => {
    if (!Array.isArray(value)) {
      reading.faults.push(`${path}: expected a list, found ${show(value)}`);
      return;
    }
    value.forEach((entry, index) => {
      item(entry, `${path}/${index}`, reading);
    });
  };
}

type Rules = Readonly<Record<string, Rule>>;

/** `absent` names fields whose presence contradicts the status. */
function object(required: Rules, optional: Rules = {}, absent: readonly string[] = []): Rule {
  const rules = new Map(Object.entries({ ...required, ...optional }));
  const due = Object.keys(required);
  return (value, path, reading) => {
    if (!isRecord(value)) {
      reading.faults.push(`${path || '/'}: expected an object, found ${show(value)}`);
      return;
    }
    for (const name of due) if (value[name] === undefined) reading.faults.push(`${path}/${name}: is missing`);
    for (const name of Object.keys(value)) {
      const check = rules.get(name);
      if (value[name] === undefined) continue;
      if (check) check(value[name], `${path}/${name}`, reading);
      else if (absent.includes(name)) reading.faults.push(`${path}/${name}: must be absent`);
      else if (reading.isClosed) reading.faults.push(`${path}/${name}: is not a field of the interface`);
    }
  };
}

const discountType = oneOf('none', 'amount', 'percent');

const sentLine: Rules = {
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
};

const sentLineOptions: Rules = {
  productMasterId: text,
  productGroupId: text,
  ean: text,
  parentLineId: text,
  existingLineDiscountPercent: percent,
  existingLineDiscountText: text40,
  existingLineDiscountCampaignId: text,
};

const line = object(
  { ...sentLine, lineDiscountType: discountType, lineDiscountAmount: money, showLineDiscountText: flag },
  {
    ...sentLineOptions,
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

const status = text;

/** Faults in the fields of a `200` basket answer, by its status (interface, section 2, BasketResponse). */
const basketAnswers: Rules = {
  applied: object(
    { calculationId: uuid, status, lines: listOf(line), orderDiscounts: listOf(orderDiscount), totals },
    { memberLabel: text40, receiptFooterText: text200 },
    ['reason'],
  ),
  // New reasons may be added, so any non-empty text is one.
  unchanged: object({ calculationId: uuid, status, reason: someText }, { memberLabel: text40 }, APPLIED_ONLY),
  member_not_found: object({ calculationId: uuid, status }, {}, [...APPLIED_ONLY, 'reason', 'memberLabel']),
};

const saleAnswer = object({ result: oneOf('recorded', 'duplicate', 'unknown_calculation') });
const errorBody = object({
  error: object({ code: someText, message: someText, requestId: anyUuid }, { details: record, docUrl: someText }),
});
/** The fields of a request that the rules about an answer look at. */
const basketOfRequest = object({
  lines: listOf(object(sentLine, sentLineOptions)),
  orderDiscounts: listOf(orderDiscount),
});

function faultsBy(check: Rule, value: unknown, isClosed = false): string[] {
  const reading = { faults: [], isClosed };
  check(value, '', reading);
  return reading.faults;
}

/** `isClosed` also reports fields that the interface does not name. */
export function basketAnswerFaults(body: unknown, isClosed = false): string[] {
  const found = isRecord(body) ? body['status'] : undefined;
  const rules = typeof found === 'string' && Object.hasOwn(basketAnswers, found) ? basketAnswers[found] : undefined;
  if (!rules) return [`/status: expected one of the three statuses, found ${show(found)}`];
  return faultsBy(rules, body, isClosed);
}

/** Faults in a `200` answer to a sale event (interface, section 2). */
export const saleAnswerFaults = (body: unknown, isClosed = false): string[] => faultsBy(saleAnswer, body, isClosed);

/** Faults in the form of an Error body (interface, section 2). */
export const errorBodyFaults = (body: unknown, isClosed = false): string[] => faultsBy(errorBody, body, isClosed);

/** False for a request whose own fields are wrong, so that no answer can be held against it. */
export function isSoundRequest(request: unknown): request is BasketRequest {
  return faultsBy(basketOfRequest, request).length === 0;
}
