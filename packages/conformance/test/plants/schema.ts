/** Violations by a reader that takes what the tables do not allow: a field missing, or of another type. */
import { type Json, lenient, linesOf, type Plant, type Planted } from '../planting-proxy.ts';

function lenientLines(fill: (line: Json) => Json): Plant {
  return lenient((body) => ({ ...body, ...(Array.isArray(body['lines']) && { lines: linesOf(body).map(fill) }) }));
}

export const SCHEMA_PLANTS: Planted = {
  'schema.required-basket-line': {
    'a missing flag counts as false': lenientLines((line) => ({ noDiscount: false, ...line })),
  },
  'schema.types-basket-line': {
    'a flag of null counts as false': lenientLines((line) =>
      line['noPercentageDiscount'] === null ? { ...line, noPercentageDiscount: false } : line,
    ),
    'a barcode may be a number': lenientLines((line) => ({
      ...line,
      ...('ean' in line && { ean: String(line['ean']) }),
    })),
    'a percentage may be text': lenientLines((line) => ({
      ...line,
      ...('existingLineDiscountPercent' in line && {
        existingLineDiscountPercent: Number(line['existingLineDiscountPercent']),
      }),
    })),
  },
  'schema.types-context': {
    "a clerk's number may be text": lenient((body) => {
      const context = (body['context'] ?? {}) as Json;
      const { clerkNumber } = context;
      return clerkNumber === undefined ? body : { ...body, context: { ...context, clerkNumber: Number(clerkNumber) } };
    }),
  },
  'schema.types-basket-request': {
    'a currency may stand in a list': lenient((body) => ({
      ...body,
      ...(Array.isArray(body['currency']) && { currency: body['currency'][0] }),
    })),
  },
  'schema.types-totals': {
    'any total may be text': lenient((body) => {
      const totals = Object.entries((body['totals'] ?? {}) as Json);
      const isText = totals.some(([, amount]) => typeof amount === 'string');
      return isText
        ? { ...body, totals: Object.fromEntries(totals.map(([name, amount]) => [name, Number(amount)])) }
        : body;
    }),
  },
};
