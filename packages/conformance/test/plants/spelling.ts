/** Violations that show in spellings, halves, orders and connections alone. */
import { isDeepStrictEqual } from 'node:util';
import { bodyOf, type Json, onAnswer, onHeaders, ownRefusal, type Passing, type Plant } from '../planting-proxy.ts';
import type { Planted } from './answers.ts';

/** Refuses a request that the service would have taken. */
function refusing(isRefused: (passing: Passing) => boolean, status: number, code: string): Plant {
  return (passing, { forward }) =>
    isRefused(passing) ? Promise.resolve(ownRefusal(passing, status, code)) : forward(passing);
}

const linesOf = (body: Json): Json[] => (Array.isArray(body['lines']) ? (body['lines'] as Json[]) : []);

/** Rounds half a unit to the even neighbour, and everything else adds up. */
const halfEven = onAnswer(200, (body) => {
  let less = 0;
  const lines = linesOf(body).map((line) => {
    const exact = (Number(line['originalLinePrice']) * Number(line['lineDiscountPercent'])) / 100;
    const amount = Number(line['lineDiscountAmount']);
    if (exact % 1 !== 0.5 || amount % 2 === 0) return line;
    less += 1;
    return { ...line, lineDiscountAmount: amount - 1, orderLinePrice: Number(line['orderLinePrice']) + 1 };
  });
  if (less === 0) return undefined;
  const totals = body['totals'] as Record<string, number>;
  const { total = 0, loyaltyDiscountTotal = 0 } = totals;
  const own = { ...totals, total: total + less, loyaltyDiscountTotal: loyaltyDiscountTotal - less };
  return { ...body, lines, totals: own };
});

/** Knows a body by what it says, and answers another spelling of it from the store. */
const respelled: Plant = async (passing, { forward, memory }) => {
  const key = `respelled ${passing.headers['idempotency-key']}`;
  const [known, asked] = [memory.get(key), memory.get(`${key} request`)];
  if (known && asked && !asked.bytes.equals(passing.bytes)) {
    const isSame = isDeepStrictEqual(JSON.parse(asked.bytes.toString()), bodyOf(passing));
    if (isSame) return { ...known, headers: [...known.headers, ['Idempotent-Replayed', 'true']] };
  }
  const answer = await forward(passing);
  if (answer.status === 200 && !known) {
    memory.set(key, answer);
    memory.set(`${key} request`, { status: 0, headers: [], bytes: passing.bytes });
  }
  return answer;
};

function textsOf(body: Json): string[] {
  return linesOf(body).flatMap((line) =>
    typeof line['existingLineDiscountText'] === 'string' ? line['existingLineDiscountText'] : [],
  );
}

/** The list of an answer the other way round; undefined where it has one entry. */
function reversed(name: string): (body: Json) => Json | undefined {
  return (body) => {
    const list = body[name];
    return Array.isArray(list) && list.length > 1 ? { ...body, [name]: list.toReversed() } : undefined;
  };
}

export const SPELLING_PLANTS: readonly Planted[] = [
  ['percentages are rounded half to even', 'numbers.half-units', halfEven],
  ['a body in another spelling is replayed', 'idempotency.respelled', respelled],
  [
    'a v1 in capitals is refused',
    'signature.capital-digest',
    refusing(({ headers }) => /v1=[^,]*[A-F]/.test(headers['pos-signature'] ?? ''), 401, 'invalid_signature'),
  ],
  [
    'headers in small letters are not known',
    'requests.header-names',
    refusing(({ headerNames }) => headerNames.includes('pos-signature'), 401, 'invalid_signature'),
  ],
  [
    'headers in capitals are not known',
    'requests.header-names',
    refusing(({ headerNames }) => headerNames.includes('IDEMPOTENCY-KEY'), 400, 'invalid_request'),
  ],
  [
    'every answer ends its connection',
    'requests.kept-connections',
    onHeaders((headers) => [...headers, ['Connection', 'close']]),
  ],
  ['a body in chunks is refused', 'requests.chunked', refusing(({ isChunked }) => isChunked, 411, 'invalid_request')],
  [
    '40 characters are counted in units of UTF-16',
    'limits.texts',
    refusing((passing) => textsOf(bodyOf(passing)).some((text) => text.length > 40), 400, 'invalid_request'),
  ],
  [
    'an X-Request-Id comes back in small letters',
    'requests.request-id-verbatim',
    onHeaders((headers) =>
      headers.map(([name, value]) => [name, name === 'X-Request-Id' ? value.toLowerCase() : value]),
    ),
  ],
  ['lines come back the other way round', 'answers.order', onAnswer(200, reversed('lines'))],
  ['order discounts come back the other way round', 'answers.order', onAnswer(200, reversed('orderDiscounts'))],
];
