/** Violations that callers in other languages meet first: header names, chunks, connections, bytes, characters, order. */
import {
  bodyOf,
  type Json,
  onApplied,
  onHeaders,
  type Passing,
  type Plant,
  refusing,
  type Tools,
  withBody,
  withoutHeader,
} from '../planting-proxy.ts';
import type { Planted } from './answers.ts';

function canonical(passing: Passing, tools: Tools): Passing {
  const body = bodyOf(passing);
  const sorted = Object.fromEntries(Object.entries(body).sort(([left], [right]) => (left < right ? -1 : 1)));
  return Object.keys(body).length === 0 ? passing : withBody(passing, tools, sorted);
}

/** Changes the list of this name in `applied` answers. */
function onList(name: 'lines' | 'orderDiscounts', change: (entries: Json[]) => Json[]): Plant {
  return onApplied((body) => ({ ...body, [name]: change(body[name] as Json[]) }));
}

const byText =
  (name: string) =>
  (left: Json, right: Json): number =>
    String(left[name]) < String(right[name]) ? -1 : 1;

const halfEven = (units: number): number => {
  const whole = Math.floor(units);
  const isHalf = units - whole === 0.5;
  return isHalf ? whole + (whole % 2) : Math.round(units);
};

const halfDown = (units: number): number => Math.ceil(units - 0.5);

/** Rounds every percentage otherwise, and adds everything up again. */
function rounded(round: (units: number) => number): Plant {
  return onApplied((body) => {
    let less = 0;
    const lines = (body['lines'] as Json[]).map((line) => {
      if (line['lineDiscountType'] !== 'percent') return line;
      const exact = (Number(line['originalLinePrice']) * Number(line['lineDiscountPercent'])) / 100;
      const difference = Number(line['lineDiscountAmount']) - round(exact);
      less += difference;
      const lineDiscountAmount = Number(line['lineDiscountAmount']) - difference;
      return { ...line, lineDiscountAmount, orderLinePrice: Number(line['orderLinePrice']) + difference };
    });
    const totals = body['totals'] as Record<string, number>;
    const loyaltyDiscountTotal = (totals['loyaltyDiscountTotal'] ?? 0) - less;
    return { ...body, lines, totals: { ...totals, loyaltyDiscountTotal, total: (totals['total'] ?? 0) + less } };
  });
}

const textsOf = (passing: Passing): unknown[] => {
  const { lines, orderDiscounts } = bodyOf(passing);
  const listed = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : []);
  return [
    ...listed(lines).map((line) => line['existingLineDiscountText']),
    ...listed(orderDiscounts).map((discount) => discount['text']),
  ];
};

export const TRANSPORT_PLANTS: readonly Planted[] = [
  ['percentages are rounded half to even', 'numbers.half-units', rounded(halfEven)],
  ['percentages are rounded half down', 'numbers.half-units', rounded(halfDown)],
  [
    'the same JSON in other bytes is replayed',
    'idempotency.respelled',
    (passing, tools) => tools.forward(canonical(passing, tools)),
  ],
  [
    'a digest in capitals is refused',
    'signature.capital-digest',
    refusing(({ headers }) => /v1=\d*[A-F]/.test(headers['pos-signature'] ?? ''), 401, 'invalid_signature'),
  ],
  ...(['POS-Signature', 'Idempotency-Key', 'Content-Type'] as const).map(
    (name): Planted => [
      `${name} is found in this spelling only`,
      'requests.header-names',
      refusing(
        ({ headerNames: names }) =>
          !names.includes(name) && names.some((other) => other.toLowerCase() === name.toLowerCase()),
        400,
        'invalid_request',
      ),
    ],
  ),
  [
    'header names in lower case are not found',
    'requests.header-names',
    refusing(({ headerNames: names }) => names.includes('pos-signature'), 401, 'invalid_signature'),
  ],
  [
    'the connection is closed after each answer',
    'connections.kept',
    onHeaders((headers) => [...headers, ['Connection', 'close']]),
  ],
  [
    'the connection is closed after each refusal',
    'connections.kept',
    onHeaders((headers, { status }) => (status < 400 ? headers : [...headers, ['Connection', 'close']])),
  ],
  [
    'a body in chunks is refused',
    'requests.chunked',
    refusing(
      ({ headerNames: names }) => names.some((name) => name.toLowerCase() === 'transfer-encoding'),
      411,
      'invalid_request',
    ),
  ],
  [
    'discount texts of 40 characters are counted in UTF-16 units',
    'limits.code-points',
    refusing((passing) => textsOf(passing).some((text) => String(text ?? '').length > 40), 400, 'invalid_request'),
  ],
  [
    'loyalty IDs are counted in UTF-16 units',
    'limits.code-points',
    refusing((passing) => String(bodyOf(passing)['loyaltyId'] ?? '').length > 64, 400, 'invalid_request'),
  ],
  [
    'transaction IDs are counted in UTF-16 units',
    'limits.code-points',
    refusing((passing) => String(bodyOf(passing)['transactionId'] ?? '').length > 64, 400, 'invalid_request'),
  ],
  [
    'X-Request-Id comes back in lower case',
    'requests.request-id-case',
    onHeaders((headers) => [
      ...withoutHeader(headers, 'X-Request-Id'),
      ['X-Request-Id', (headers.find(([name]) => name.toLowerCase() === 'x-request-id')?.[1] ?? '').toLowerCase()],
    ]),
  ],
  ['the lines are sorted by their IDs', 'statuses.order', onList('lines', (lines) => lines.toSorted(byText('lineId')))],
  [
    'the lines are sorted by their prices',
    'statuses.order',
    onList('lines', (lines) => lines.toSorted((a, b) => Number(a['orderLinePrice']) - Number(b['orderLinePrice']))),
  ],
  [
    'the order discounts are sorted by their IDs',
    'statuses.order',
    onList('orderDiscounts', (discounts) => discounts.toSorted(byText('orderDiscountId'))),
  ],
];
