import type { BasketRequest } from '@loyalty/contract/basket-request';
import type { Sending } from '../../packages/conformance/src/kit/target.ts';
import { createBaskets } from '../generator/baskets.ts';
import { HOT_MEMBER, loyaltyIdOf, PAUSED_MEMBER } from '../generator/mix.ts';

/** A request that all contestants must answer equally. */
export interface Case {
  readonly name: string;
  /** The status that the interface requires. */
  readonly status: number;
  readonly path?: string;
  /** An object is sent as JSON, a text unchanged. */
  readonly body: unknown;
  /** What is unusual in how it is sent. The `Idempotency-Key` is by default the body's own ID. */
  readonly sending?: Sending;
  /** A framework's own body parser has its own messages, so only status and code are compared. */
  readonly isParserFault?: true;
}

const SALE_PATH = '/v1/pos/sale';
const STALE_SECONDS = 301;

let lastId = 0;

/** Returns a new ID on every call, in the same sequence for every contestant. */
function nextId(): string {
  lastId += 1;
  return `00000000-0000-4000-8000-${String(lastId).padStart(12, '0')}`;
}

function basket(lines: number, seed: number, changes: object = {}): BasketRequest {
  const [created] = createBaskets(1, lines, seed) as [BasketRequest];
  return { ...created, calculationId: nextId(), loyaltyId: loyaltyIdOf(seed), ...changes };
}

/** The same basket with its first line changed. */
function withLine(change: object): BasketRequest {
  const fresh = basket(5, 7);
  return { ...fresh, lines: fresh.lines.map((line, index) => (index === 0 ? { ...line, ...change } : line)) };
}

function answered(): Case[] {
  const first = basket(20, 10);
  const hot = Array.from({ length: 3 }, (_, index) => basket(5, index, { loyaltyId: loyaltyIdOf(HOT_MEMBER) }));
  const sizes = [1, 2, 5, 20, 200].flatMap((lines) => [1, 2, 3].map((seed) => basket(lines, seed)));
  const { lines } = basket(4, 1);
  const unknown = basket(5, 1, { loyaltyId: 'nobody' });
  const bodies: [string, unknown][] = [
    ...sizes.map((body): [string, unknown] => [`${body.lines.length} lines`, body]),
    ['a limited benefit', first],
    ['the same call again', first],
    ['the limit is held', basket(20, 10)],
    ['superseding frees it', basket(3, 10, { supersedesCalculationId: first.calculationId })],
    ...hot.map((body): [string, unknown] => ['the hot member', body]),
    ['all lines excluded', basket(4, 1, { lines: lines.map((line) => ({ ...line, noDiscount: true })) })],
    ['a paused member', basket(5, 1, { loyaltyId: loyaltyIdOf(PAUSED_MEMBER) })],
    ['an unknown member', unknown],
    ['an unknown member again', unknown],
    ['an unknown field', basket(5, 4, { unknownField: { deep: [1, 2] } })],
  ];
  return [
    ...bodies.map(([name, body]) => ({ name, status: 200, body })),
    { name: 'the same key, another body', status: 409, body: { ...first, currency: 'SEK' } },
  ];
}

/** What is wrong and how it is refused. */
function refused(): Case[] {
  const key = (value: string | null): Sending => ({ headers: { 'Idempotency-Key': value } });
  const signed = (value: string | null): Sending => ({ headers: { 'POS-Signature': value } });
  const fresh = basket(5, 7);
  const long = basket(200, 6);
  return [
    { name: 'without totals', status: 400, body: basket(5, 5, { totals: undefined }) },
    { name: 'without a member', status: 400, body: basket(5, 5, { loyaltyId: undefined }) },
    { name: 'no lines', status: 400, body: basket(5, 5, { lines: [] }) },
    { name: 'a flag that is null', status: 400, body: withLine({ noDiscount: null }) },
    { name: 'a fraction of a unit', status: 400, body: withLine({ unitPrice: 12.5 }) },
    { name: 'a quantity of 0', status: 400, body: withLine({ quantity: 0 }) },
    { name: 'a text for a number', status: 400, body: withLine({ quantity: '1' }) },
    { name: 'an unknown discount type', status: 400, body: withLine({ existingLineDiscountType: 'gift' }) },
    {
      name: 'an allocation to nothing',
      status: 400,
      body: withLine({ orderDiscountAllocation: [{ orderDiscountId: 'none', orderDiscountAllocationAmount: 1 }] }),
    },
    { name: 'a date without offset', status: 400, body: basket(5, 5, { requestedAt: '2026-11-20T12:00:00' }) },
    { name: 'a currency in lower case', status: 400, body: basket(5, 5, { currency: 'nok' }) },
    { name: 'a parent that is not there', status: 400, body: withLine({ parentLineId: 'nowhere' }) },
    { name: 'a line ID used twice', status: 400, body: { ...fresh, lines: [...fresh.lines, fresh.lines[0]] } },
    {
      name: 'an ID in upper case',
      status: 400,
      body: basket(5, 5, { calculationId: 'ABCDEF00-0000-4000-8000-000000000000' }),
      sending: key(nextId()),
    },
    { name: 'another key than the body', status: 400, body: basket(5, 5), sending: key(nextId()) },
    { name: 'no key', status: 400, body: basket(5, 5), sending: key(null) },
    { name: 'a key that is no UUID', status: 400, body: basket(5, 5), sending: key('once') },
    { name: 'a body that is a list', status: 400, body: [], sending: key(nextId()) },
    { name: 'half a body', status: 400, body: '{"calculationId":', sending: key(nextId()), isParserFault: true },
    { name: 'no JSON', status: 400, body: basket(5, 5), sending: { headers: { 'Content-Type': 'text/plain' } } },
    { name: 'too large', status: 413, body: `"${'x'.repeat(300_000)}"`, sending: key(nextId()), isParserFault: true },
    {
      name: '201 lines',
      status: 422,
      body: { ...long, lines: [...long.lines, { ...long.lines[0], lineId: 'line-201' }] },
    },
    { name: 'another venue', status: 422, body: basket(5, 7, { context: { ...fresh.context, baxId: '999999' } }) },
    { name: 'another currency', status: 422, body: basket(5, 7, { currency: 'SEK' }) },
    { name: 'a line that does not add up', status: 422, body: withLine({ originalLinePrice: 1 }) },
    { name: 'totals that do not add up', status: 422, body: basket(5, 7, { totals: { ...fresh.totals, total: 1 } }) },
    { name: 'no signature', status: 401, body: basket(5, 7), sending: signed(null) },
    { name: 'a garbled signature', status: 401, body: basket(5, 7), sending: signed('v1=none') },
    { name: 'a wrong signature', status: 401, body: basket(5, 7), sending: { secret: Buffer.alloc(32, 0xa5) } },
    {
      name: 'a stale signature',
      status: 401,
      body: basket(5, 7),
      sending: { signedAtSeconds: Math.floor(Date.now() / 1000) - STALE_SECONDS },
    },
    { name: 'another path', status: 404, body: basket(5, 7), path: '/v1/pos/nothing' },
    { name: 'another method', status: 405, body: basket(5, 7), sending: { method: 'PUT' } },
  ];
}

function sales(): Case[] {
  const [sold, dropped] = [basket(5, 20), basket(5, 30)];
  const sale = ({ calculationId }: { readonly calculationId: string }, status: string, more: object = {}) => ({
    calculationId,
    status,
    ...(status !== 'cancelled' && { transactionId: 'receipt-1' }),
    ...more,
  });
  const unsold = { calculationId: nextId() };
  const path = SALE_PATH;
  return [
    { name: 'a basket to be sold', status: 200, body: sold },
    { name: 'its sale', status: 200, path, body: sale(sold, 'applied') },
    { name: 'its sale again', status: 200, path, body: sale(sold, 'applied') },
    { name: 'another outcome', status: 409, path, body: sale(sold, 'cancelled') },
    { name: 'a basket to be dropped', status: 200, body: dropped },
    { name: 'its end', status: 200, path, body: sale(dropped, 'cancelled') },
    { name: 'the limit is free again', status: 200, body: basket(5, 30) },
    { name: 'a sale of nothing known', status: 200, path, body: sale(unsold, 'applied') },
    {
      name: 'a sale without a receipt',
      status: 400,
      path,
      body: sale(unsold, 'applied', { transactionId: undefined }),
    },
    { name: 'a failure without a reason', status: 400, path, body: sale(unsold, 'failed') },
    { name: 'a basket as a sale', status: 400, path, body: basket(5, 8) },
  ];
}

/** Creates all cases; their order matters. The IDs start anew, so every list is equal. */
export function createCases(): Case[] {
  lastId = 0;
  return [...answered(), ...refused(), ...sales()];
}

/** Creates calls for every token of the bucket, and one more. */
export function createRateLimitCases(burst: number): Case[] {
  lastId = 0;
  const calls = Array.from({ length: burst }, () => ({ name: 'within the limit', status: 200, body: basket(2, 1) }));
  return [...calls, { name: 'beyond the limit', status: 429, body: basket(2, 1) }];
}

/** Creates a call for a Redis that is stopped. */
export function createOutageCase(): Case {
  lastId = 0;
  return { name: 'without Redis', status: 503, body: basket(2, 1) };
}
