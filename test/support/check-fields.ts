/**
 * The exact fields, types and patterns of every answer (interface, section 2), written by hand. A rule looks at one
 * value and reports every fault it sees with the JSON Pointer of the place.
 */

export type Report = (violation: string) => void;
export type Rule = (value: unknown, path: string, report: Report) => void;

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
export const UUID_IN_ANY_CASE = new RegExp(UUID.source, 'i');

/** True for a JSON object, which an array and null are not. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function rule(holds: (value: unknown) => boolean, expected: string): Rule {
  return (value, path, report) => {
    if (!holds(value)) report(`${path || '/'}: expected ${expected}, found ${JSON.stringify(value)}`);
  };
}

/** A string of so many code points, as JSON Schema counts them. */
export function text(minimum: number, maximum: number): Rule {
  return rule((value) => {
    if (typeof value !== 'string') return false;
    const length = [...value].length;
    return length >= minimum && length <= maximum;
  }, `a string of ${minimum} to ${maximum} characters`);
}

export const anyString = rule((value) => typeof value === 'string', 'a string');
export const identifier = rule((value) => typeof value === 'string' && value !== '', 'a string that is not empty');
export const flag = rule((value) => typeof value === 'boolean', 'an explicit boolean');
export const uuid = rule((value) => typeof value === 'string' && UUID.test(value), 'a lower-case UUID');
export const money = rule(
  (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  'whole minor units, 0 or more',
);
export const quantity = rule((value) => Number.isFinite(value) && (value as number) > 0, 'a number above 0');
export const percent = rule(
  (value) => typeof value === 'number' && value <= 100 && /^\d{1,3}(\.\d{1,2})?$/.test(String(value)),
  '0 to 100 with at most two decimals',
);

export function oneOf(...values: unknown[]): Rule {
  return rule((value) => values.includes(value), `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`);
}

export function listOf(item: Rule): Rule {
  return (value, path, report) => {
    if (!Array.isArray(value)) {
      report(`${path}: expected an array, found ${JSON.stringify(value)}`);
      return;
    }
    value.forEach((entry, index) => {
      item(entry, `${path}/${index}`, report);
    });
  };
}

/** An object with exactly these fields: a field the interface does not name is a violation too. */
export function fields(required: Record<string, Rule>, optional: Record<string, Rule> = {}): Rule {
  return (value, path, report) => {
    if (!isRecord(value)) {
      report(`${path || '/'}: expected an object, found ${JSON.stringify(value)}`);
      return;
    }
    for (const [name, check] of Object.entries(required)) {
      if (Object.hasOwn(value, name)) check(value[name], `${path}/${name}`, report);
      else report(`${path}/${name}: is missing`);
    }
    for (const [name, entry] of Object.entries(value)) {
      if (Object.hasOwn(required, name)) continue;
      const check = Object.hasOwn(optional, name) ? optional[name] : undefined;
      if (check) check(entry, `${path}/${name}`, report);
      else report(`${path}/${name}: is not a field of this answer`);
    }
  };
}

const discountType = oneOf('none', 'amount', 'percent');

const allocation = fields({ orderDiscountId: identifier, orderDiscountAllocationAmount: money });

const orderDiscount = fields(
  { orderDiscountId: identifier, type: oneOf('amount', 'percent'), amount: money },
  { percent, text: text(0, 40), campaignId: anyString, discountCode: identifier },
);

const lineOut = fields(
  {
    lineId: identifier,
    productId: identifier,
    name: anyString,
    quantity,
    unitPrice: money,
    originalLinePrice: money,
    noDiscount: flag,
    noPercentageDiscount: flag,
    existingLineDiscountType: discountType,
    existingLineDiscountAmount: money,
    orderDiscountAllocation: listOf(allocation),
    orderLinePrice: money,
    lineDiscountType: discountType,
    lineDiscountAmount: money,
    showLineDiscountText: flag,
  },
  {
    productMasterId: anyString,
    productGroupId: anyString,
    ean: anyString,
    parentLineId: anyString,
    existingLineDiscountPercent: percent,
    existingLineDiscountText: text(0, 40),
    existingLineDiscountCampaignId: anyString,
    lineDiscountPercent: percent,
    lineDiscountText: text(0, 40),
    lineDiscountCode: identifier,
    overrideUnitPrice: money,
    addedByLoyalty: flag,
    splitFromLineId: identifier,
  },
);

const totals = fields({
  originalTotal: money,
  existingDiscountTotal: money,
  orderDiscountTotal: money,
  loyaltyDiscountTotal: money,
  total: money,
});

export const appliedBody = fields(
  {
    calculationId: uuid,
    status: oneOf('applied'),
    lines: listOf(lineOut),
    orderDiscounts: listOf(orderDiscount),
    totals,
  },
  { memberLabel: text(0, 40), receiptFooterText: text(0, 200) },
);

export const unchangedBody = fields(
  {
    calculationId: uuid,
    status: oneOf('unchanged'),
    reason: oneOf('no_applicable_benefits', 'all_lines_excluded', 'member_inactive', 'basket_too_small'),
  },
  { memberLabel: text(0, 40) },
);

export const memberNotFoundBody = fields({ calculationId: uuid, status: oneOf('member_not_found') });

export const saleBody = fields({ result: oneOf('recorded', 'duplicate', 'unknown_calculation') });

const details: Rule = rule(isRecord, 'an object');

/** The Error body; which code belongs to which status is judged by the caller. */
export const errorBody = fields({
  error: fields({ code: anyString, message: text(1, 1000), requestId: rule(isUuidText, 'a UUID') }, { details }),
});

function isUuidText(value: unknown): boolean {
  return typeof value === 'string' && UUID_IN_ANY_CASE.test(value);
}
