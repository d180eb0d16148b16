/** Violations by a reader that takes what the tables do not allow: a field missing, or of another type. */
import { bodyOf, type Json, type Plant, withBody } from '../planting-proxy.ts';
import type { Planted } from './answers.ts';

/** Fills in what a request lacks, as a lenient parser would. */
export function lenient(fill: (body: Json) => Json): Plant {
  return (passing, tools) => {
    const body = bodyOf(passing);
    const filled = fill(structuredClone(body));
    const isSame = JSON.stringify(filled) === JSON.stringify(body);
    return tools.forward(isSame ? passing : withBody(passing, tools, filled));
  };
}

export const linesOf = (body: Json): Json[] => (Array.isArray(body['lines']) ? (body['lines'] as Json[]) : []);

function lenientLines(fill: (line: Json) => Json): Plant {
  return lenient((body) => ({ ...body, ...(Array.isArray(body['lines']) && { lines: linesOf(body).map(fill) }) }));
}

export const SCHEMA_PLANTS: readonly Planted[] = [
  [
    'a missing flag counts as false',
    'schema.required-basket-line',
    lenientLines((line) => ({ noDiscount: false, ...line })),
  ],
  [
    'a flag of null counts as false',
    'schema.types-basket-line',
    lenientLines((line) => (line['noPercentageDiscount'] === null ? { ...line, noPercentageDiscount: false } : line)),
  ],
  [
    'a barcode may be a number',
    'schema.types-basket-line',
    lenientLines((line) => ({ ...line, ...('ean' in line && { ean: String(line['ean']) }) })),
  ],
  [
    'a percentage may be text',
    'schema.types-basket-line',
    lenientLines((line) => ({
      ...line,
      ...('existingLineDiscountPercent' in line && {
        existingLineDiscountPercent: Number(line['existingLineDiscountPercent']),
      }),
    })),
  ],
  [
    "a clerk's number may be text",
    'schema.types-context',
    lenient((body) => {
      const context = (body['context'] ?? {}) as Json;
      const { clerkNumber } = context;
      return clerkNumber === undefined ? body : { ...body, context: { ...context, clerkNumber: Number(clerkNumber) } };
    }),
  ],
  [
    'a currency may stand in a list',
    'schema.types-basket-request',
    lenient((body) => ({ ...body, ...(Array.isArray(body['currency']) && { currency: body['currency'][0] }) })),
  ],
  [
    'any total may be text',
    'schema.types-totals',
    lenient((body) => {
      const totals = Object.entries((body['totals'] ?? {}) as Json);
      const isText = totals.some(([, amount]) => typeof amount === 'string');
      return isText
        ? { ...body, totals: Object.fromEntries(totals.map(([name, amount]) => [name, Number(amount)])) }
        : body;
    }),
  ],
];
