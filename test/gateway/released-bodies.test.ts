/** The memory of a large body is given back with its call, whoever sent it and whatever became of it. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { basketOf } from '../support/baskets.ts';
import { BASKET_PATH } from '../support/caller.ts';
import type { RawConnection } from '../support/raw-connection.ts';
import { newSecret } from '../support/signer.ts';
import { until } from '../support/wait.ts';
import { connectTo, useHouse } from './support/house.ts';

/** No call is fast enough, so the limit of calls in flight never rises while a test fills it. */
const house = useHouse({ p95BudgetMs: () => -1 });
const LARGE_BYTES = 40_000;
const LIMIT_BYTES = 262_144;
/** A right basket with blanks at its end. */
const bodyOf = (bytes: number) => Buffer.from(JSON.stringify(basketOf()).padEnd(bytes));

const { transfer } = ArrayBuffer.prototype;
let released: number[] = [];
beforeAll(() => {
  ArrayBuffer.prototype.transfer = function (length) {
    if (length === 0) released.push(this.byteLength);
    return transfer.call(this, length);
  };
});
afterAll(() => {
  ArrayBuffer.prototype.transfer = transfer;
});
beforeEach(() => {
  released = [];
});

test.each([
  ['of a right call', 200, {}],
  ['of a wrong signature', 401, { secret: newSecret() }],
  ['of a wrong key', 400, { headers: { 'Idempotency-Key': 'none' } }],
])('a body %s', async (_, status, options) => {
  expect((await house.caller.send(BASKET_PATH, bodyOf(LARGE_BYTES), options)).status).toBe(status);
  await until('the body', () => released.includes(LARGE_BYTES));
  expect(released).toHaveLength(1);
});

test.each(['keep-alive', 'close'])('an answer on a connection that has %s', async (connection) => {
  const lines = Array.from({ length: 200 }, () => ({}));
  const answer = await house.caller.basket(basketOf(lines), { headers: { Connection: connection } });
  expect(answer.status).toBe(200);
  await until('its memory', () => released.includes(Buffer.byteLength(answer.text)));
});

test('a body of a call that is shed with its last byte', async () => {
  const { admission } = house.gateway;
  let taken = 0;
  for (; admission.admit('basket'); taken += 1);
  const answer = await house.caller.send(BASKET_PATH, bodyOf(LARGE_BYTES), { chunkBytes: 16_384 });
  for (; taken > 0; taken -= 1) admission.leave('basket', undefined);
  expect([answer.status, released]).toEqual([503, [LARGE_BYTES]]);
});

test.each([
  ['that takes too long', () => house.gateway.uploads.cutLate(performance.now() + 60_000)],
  ['whose sender hangs up', (connection: RawConnection) => connection.reset()],
])('a body %s', async (_, end) => {
  const head = `POST ${BASKET_PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: ${LIMIT_BYTES}\r\n\r\n`;
  const connection = await connectTo(house, head, Buffer.alloc(LARGE_BYTES, ' '));
  await until('the body', () => house.gateway.uploads.state.heldBytes >= LARGE_BYTES);
  end(connection);
  await until('its memory', () => released.length > 0);
  expect(released).toEqual([expect.any(Number)]);
  connection.close();
});

test('a body that grows past the limit', async () => {
  const answer = await house.caller.send(BASKET_PATH, bodyOf(LIMIT_BYTES + 1), { chunkBytes: 16_384 });
  expect([answer.status, released]).toEqual([413, [LIMIT_BYTES]]);
});
