/** Violations that callers in other languages meet first: header names, chunks, connections, bytes, characters, order. */
import {
  bodyOf,
  type Json,
  onApplied,
  onHeaders,
  type Passing,
  type Plant,
  type Planted,
  refusing,
  type Tools,
  withBody,
  withoutHeader,
} from '../planting-proxy.ts';
import { rounded } from './answers.ts';

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

const textsOf = (passing: Passing): unknown[] => {
  const { lines, orderDiscounts } = bodyOf(passing);
  const listed = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : []);
  return [
    ...listed(lines).map((line) => line['existingLineDiscountText']),
    ...listed(orderDiscounts).map((discount) => discount['text']),
  ];
};

/** Refuses a request that has the header in another spelling. */
function inOneSpelling(name: string): Plant {
  const isOther = (other: string) => other !== name && other.toLowerCase() === name.toLowerCase();
  return refusing(({ headerNames: names }) => !names.includes(name) && names.some(isOther));
}

export const TRANSPORT_PLANTS: Planted = {
  'numbers.half-units': {
    'percentages are rounded half to even': rounded(halfEven),
    'percentages are rounded half down': rounded(halfDown),
  },
  'idempotency.respelled': {
    'the same JSON in other bytes is replayed': (passing, tools) => tools.forward(canonical(passing, tools)),
  },
  'signature.capital-digest': {
    'a digest in capitals is refused': refusing(
      ({ headers }) => /v1=\d*[A-F]/.test(headers['pos-signature'] ?? ''),
      'invalid_signature',
    ),
  },
  'requests.header-names': {
    'POS-Signature is found in this spelling only': inOneSpelling('POS-Signature'),
    'Idempotency-Key is found in this spelling only': inOneSpelling('Idempotency-Key'),
    'Content-Type is found in this spelling only': inOneSpelling('Content-Type'),
    'header names in lower case are not found': refusing(
      ({ headerNames: names }) => names.includes('pos-signature'),
      'invalid_signature',
    ),
  },
  'connections.kept': {
    'the connection is closed after each answer': onHeaders((headers) => [...headers, ['Connection', 'close']]),
    'the connection is closed after each refusal': onHeaders((headers, { status }) =>
      status < 400 ? headers : [...headers, ['Connection', 'close']],
    ),
  },
  'requests.chunked': {
    'a body in chunks is refused': refusing(
      ({ headerNames: names }) => names.some((name) => name.toLowerCase() === 'transfer-encoding'),
      'invalid_request',
      411,
    ),
  },
  'limits.code-points': {
    'discount texts of 40 characters are counted in UTF-16 units': refusing((passing) =>
      textsOf(passing).some((text) => String(text ?? '').length > 40),
    ),
    'loyalty IDs are counted in UTF-16 units': refusing((_, body) => String(body['loyaltyId'] ?? '').length > 64),
    'transaction IDs are counted in UTF-16 units': refusing(
      (_, body) => String(body['transactionId'] ?? '').length > 64,
    ),
  },
  'requests.request-id-case': {
    'X-Request-Id comes back in lower case': onHeaders((headers) => [
      ...withoutHeader(headers, 'X-Request-Id'),
      ['X-Request-Id', (headers.find(([name]) => name.toLowerCase() === 'x-request-id')?.[1] ?? '').toLowerCase()],
    ]),
  },
  'statuses.order': {
    'the lines are sorted by their IDs': onList('lines', (lines) => lines.toSorted(byText('lineId'))),
    'the lines are sorted by their prices': onList('lines', (lines) =>
      lines.toSorted((a, b) => Number(a['orderLinePrice']) - Number(b['orderLinePrice'])),
    ),
    'the order discounts are sorted by their IDs': onList('orderDiscounts', (discounts) =>
      discounts.toSorted(byText('orderDiscountId')),
    ),
  },
};
