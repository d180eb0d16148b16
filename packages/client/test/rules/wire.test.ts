/** The judge of what a caller sends: right traffic passes, and each broken rule is named. */
import { expect, test } from 'vitest';
import { type Arrived, findWireFaults } from './wire.ts';

const courses = Object.fromEntries(
  ['first', 'second', 'abandoned', 'offline', 'limited', 'refused'].map((name) => [name, crypto.randomUUID()]),
) as Record<'first' | 'second' | 'abandoned' | 'offline' | 'limited' | 'refused', string>;
const orders = [
  { calculationId: courses.second, status: 'applied' },
  { calculationId: courses.limited, status: 'failed', failureReason: 'timeout' },
  { calculationId: courses.refused, status: 'unchanged' },
];

let atMs = 0;
function arrive(path: string, idempotencyKey: string, body: object, more: Partial<Arrived> = {}): Arrived {
  atMs += 1_000;
  const own = { requestId: crypto.randomUUID(), signature: `t=${atMs}`, code: undefined, refused: undefined };
  return { path, idempotencyKey, ...own, connection: 1, atMs, body: JSON.stringify(body), ...more };
}

function rightTraffic(): Arrived[] {
  const { first, second, abandoned, offline, limited, refused } = courses;
  const basket = (key: string, body: object = {}) => arrive('/v1/pos/basket', key, body);
  const sale = (key: string, body: object, code?: string) => arrive('/v1/pos/sale', key, body, { code });
  const late = { status: 'failed', failureReason: 'timeout' };
  return [
    ...[basket(first), basket(second, { supersedesCalculationId: first }), basket(abandoned)],
    sale(second, { status: 'applied' }),
    ...[sale(limited, late, 'sale-rate-limited'), sale(limited, late, 'sale-rate-limited')],
    sale(refused, { status: 'unchanged' }, 'sale-invalid'),
    ...[sale(abandoned, { status: 'cancelled' }), sale(offline, { status: 'failed', failureReason: 'offline' })],
  ];
}

test('right traffic has no fault', () => {
  expect(findWireFaults(rightTraffic(), orders, courses)).toEqual([]);
});

test.each<[string, (traffic: Arrived[]) => Arrived[]]>([
  ['was refused: invalid_signature', ([head, ...rest]) => [{ ...head!, refused: 'invalid_signature' }, ...rest]],
  ['request ID', (traffic) => traffic.map((one) => ({ ...one, requestId: traffic[0]!.requestId }))],
  ['was sent again', (traffic) => [...traffic, { ...traffic[1]!, requestId: crypto.randomUUID() }]],
  ['had 3 connections', (traffic) => traffic.map((one, connection) => ({ ...one, connection }))],
  ['does not supersede', (traffic) => traffic.with(1, { ...traffic[1]!, body: '{}' })],
  ['was never sent', (traffic) => traffic.toSpliced(3, 1)],
  ['changed between attempts', (traffic) => traffic.with(5, { ...traffic[5]!, body: '{"status":"failed"}' })],
  ['tells another status', (traffic) => traffic.with(3, { ...traffic[3]!, body: '{"status":"unchanged"}' })],
  ['came before Retry-After', (traffic) => traffic.with(5, { ...traffic[5]!, atMs: traffic[4]!.atMs + 500 })],
  ['was not signed anew', (traffic) => traffic.with(5, { ...traffic[5]!, signature: traffic[4]!.signature })],
  ['after a final refusal', (traffic) => [...traffic, { ...traffic[6]!, requestId: crypto.randomUUID() }]],
  ['superseded calculation has an event', (traffic) => [...traffic, arrive('/v1/pos/sale', courses.first, {})]],
  ['is not cancelled', (traffic) => traffic.with(7, { ...traffic[7]!, body: '{"status":"applied"}' })],
  ['offline order does not say so', (traffic) => traffic.with(8, { ...traffic[8]!, body: '{"status":"failed"}' })],
])('%s', (fault, spoil) => {
  expect(findWireFaults(spoil(rightTraffic()), orders, courses).join('; ')).toContain(fault);
});
