import type { BasketRequest } from '@loyalty/contract/basket-request';
import { createBaskets } from '../load/baskets.ts';
import { HOT_MEMBER, loyaltyIdOf, PAUSED_MEMBER } from '../load/mix.ts';

/** A request that all contestants must answer equally. */
export interface Case {
  readonly name: string;
  /** The status that the interface requires. */
  readonly status: number;
  readonly method?: string;
  readonly path?: string;
  /** An object is sent as JSON, a text unchanged. */
  readonly body: unknown;
  /** The `Idempotency-Key`; by default the body's own. Null leaves it out. */
  readonly key?: string | null;
  readonly contentType?: string;
  readonly signature?: 'none' | 'wrong' | 'stale' | 'garbled';
  /** A framework's own body parser has its own messages, so only status and code are compared. */
  readonly isParserFault?: true;
}

type Changes = Partial<BasketRequest> | ((basket: BasketRequest) => unknown);

let lastId = 0;

/** Returns a new ID on every call, in the same sequence for every contestant. */
function nextId(): string {
  lastId += 1;
  return `00000000-0000-4000-8000-${String(lastId).padStart(12, '0')}`;
}

function basket(lines: number, seed: number, changes: Changes = {}): BasketRequest {
  const [created] = createBaskets(1, lines, seed) as [BasketRequest];
  const fresh = { ...created, calculationId: nextId(), loyaltyId: loyaltyIdOf(seed) };
  return typeof changes === 'function' ? (changes(fresh) as BasketRequest) : { ...fresh, ...changes };
}

/** The same basket with its first line changed. */
function withLine(change: Record<string, unknown>): (basket: BasketRequest) => unknown {
  return (fresh) => ({
    ...fresh,
    lines: fresh.lines.map((line, index) => (index === 0 ? { ...line, ...change } : line)),
  });
}

function without(field: string): (basket: BasketRequest) => unknown {
  return (fresh) => Object.fromEntries(Object.entries(fresh).filter(([name]) => name !== field));
}

function sale(calculationId: string, status: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { calculationId, status, ...(status !== 'cancelled' && { transactionId: 'receipt-1' }), ...more };
}

function answered(): Case[] {
  const first = basket(20, 10);
  const next = { ...basket(3, 10), supersedesCalculationId: first.calculationId };
  const hot = Array.from({ length: 3 }, (_, index) => basket(5, index, { loyaltyId: loyaltyIdOf(HOT_MEMBER) }));
  const sizes = [1, 2, 5, 20, 200].flatMap((lines) => [1, 2, 3].map((seed) => basket(lines, seed)));
  const excluded = basket(4, 1, (fresh) => ({
    ...fresh,
    lines: fresh.lines.map((line) => ({ ...line, noDiscount: true })),
  }));
  const paused = basket(5, 1, { loyaltyId: loyaltyIdOf(PAUSED_MEMBER) });
  const unknown = basket(5, 1, { loyaltyId: 'nobody' });
  const stranger = { ...basket(5, 4), unknownField: { deep: [1, 2] } };
  return [
    ...sizes.map((body) => ({ name: `${body.lines.length} lines`, status: 200, body })),
    { name: 'a limited benefit', status: 200, body: first },
    { name: 'the same call again', status: 200, body: first },
    { name: 'the limit is held', status: 200, body: basket(20, 10) },
    { name: 'superseding frees it', status: 200, body: next },
    ...hot.map((body) => ({ name: 'the hot member', status: 200, body })),
    { name: 'all lines excluded', status: 200, body: excluded },
    { name: 'a paused member', status: 200, body: paused },
    { name: 'an unknown member', status: 200, body: unknown },
    { name: 'an unknown member again', status: 200, body: unknown },
    { name: 'an unknown field', status: 200, body: stranger },
    { name: 'the same key, another body', status: 409, body: { ...first, currency: 'SEK' } },
  ];
}

function badBodies(): Case[] {
  const faults: Record<string, Changes> = {
    'without totals': without('totals'),
    'without a member': without('loyaltyId'),
    'no lines': { lines: [] },
    'a flag that is null': withLine({ noDiscount: null }),
    'a fraction of a unit': withLine({ unitPrice: 12.5 }),
    'a quantity of 0': withLine({ quantity: 0 }),
    'a text for a number': withLine({ quantity: '1' }),
    'an unknown discount type': withLine({ existingLineDiscountType: 'gift' }),
    'a parent that is not there': withLine({ parentLineId: 'nowhere' }),
    'an allocation to nothing': withLine({
      orderDiscountAllocation: [{ orderDiscountId: 'none', orderDiscountAllocationAmount: 1 }],
    }),
    'a line ID used twice': (fresh) => ({ ...fresh, lines: [...fresh.lines, fresh.lines[0]] }),
    'a date without offset': { requestedAt: '2026-11-20T12:00:00' },
    'a currency in lower case': { currency: 'nok' },
    'an ID in upper case': { calculationId: 'ABCDEF00-0000-4000-8000-000000000000' },
  };
  return [
    ...Object.entries(faults).map(([name, changes]) => {
      const body = basket(5, 5, changes);
      return { name, status: 400, body, key: nextId() };
    }),
    { name: 'another key than the body', status: 400, body: basket(5, 5), key: nextId() },
    { name: 'no key', status: 400, body: basket(5, 5), key: null },
    { name: 'a key that is no UUID', status: 400, body: basket(5, 5), key: 'once' },
    { name: 'a body that is a list', status: 400, body: [], key: nextId() },
    { name: 'half a body', status: 400, body: '{"calculationId":', key: nextId(), isParserFault: true },
    { name: 'no JSON', status: 400, body: basket(5, 5), contentType: 'text/plain' },
    { name: 'too large', status: 413, body: `"${'x'.repeat(300_000)}"`, key: nextId(), isParserFault: true },
  ];
}

function refused(): Case[] {
  const long = basket(200, 6);
  const tooMany = { ...long, lines: [...long.lines, { ...long.lines[0], lineId: 'line-201' }] };
  const context = { ...long.context, baxId: '999999' };
  const totals = { ...basket(5, 7).totals, total: 1 };
  return [
    { name: '201 lines', status: 422, body: tooMany },
    { name: 'another venue', status: 422, body: basket(5, 7, { context }) },
    { name: 'another currency', status: 422, body: basket(5, 7, { currency: 'SEK' }) },
    { name: 'a line that does not add up', status: 422, body: basket(5, 7, withLine({ originalLinePrice: 1 })) },
    { name: 'totals that do not add up', status: 422, body: basket(5, 7, { totals }) },
    { name: 'no signature', status: 401, body: basket(5, 7), signature: 'none' },
    { name: 'a wrong signature', status: 401, body: basket(5, 7), signature: 'wrong' },
    { name: 'a stale signature', status: 401, body: basket(5, 7), signature: 'stale' },
    { name: 'a garbled signature', status: 401, body: basket(5, 7), signature: 'garbled' },
    { name: 'another path', status: 404, body: basket(5, 7), path: '/v1/pos/nothing' },
    { name: 'another method', status: 405, body: basket(5, 7), method: 'PUT' },
  ];
}

function sales(): Case[] {
  const path = '/v1/pos/sale';
  const sold = basket(5, 20);
  const dropped = basket(5, 30);
  const event = sale(sold.calculationId, 'applied');
  return [
    { name: 'a basket to be sold', status: 200, body: sold },
    { name: 'its sale', status: 200, path, body: event },
    { name: 'its sale again', status: 200, path, body: event },
    { name: 'another outcome', status: 409, path, body: sale(sold.calculationId, 'cancelled') },
    { name: 'a basket to be dropped', status: 200, body: dropped },
    { name: 'its end', status: 200, path, body: sale(dropped.calculationId, 'cancelled') },
    { name: 'the limit is free again', status: 200, body: basket(5, 30) },
    { name: 'a sale of nothing known', status: 200, path, body: sale(nextId(), 'applied') },
    {
      name: 'a sale without a receipt',
      status: 400,
      path,
      body: sale(nextId(), 'applied', { transactionId: undefined }),
    },
    { name: 'a failure without a reason', status: 400, path, body: sale(nextId(), 'failed') },
    { name: 'a basket as a sale', status: 400, path, body: basket(5, 8) },
  ];
}

/** Creates all cases; their order matters. The IDs start anew, so every list is equal. */
export function createCases(): Case[] {
  lastId = 0;
  return [...answered(), ...badBodies(), ...refused(), ...sales()];
}

/** Creates calls for every token of the bucket, and one more. */
export function createRateLimitCases(burst: number): Case[] {
  lastId = 0;
  const calls = Array.from({ length: burst }, () => ({ name: 'within the limit', status: 200, body: basket(2, 1) }));
  return [...calls, { name: 'beyond the limit', status: 429, body: basket(2, 1) }];
}

/** Creates a call for a Redis that is stopped. */
export function createOutageCases(): Case[] {
  lastId = 0;
  return [{ name: 'without Redis', status: 503, body: basket(2, 1) }];
}
