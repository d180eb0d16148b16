/** Callers that hang up at every stage of a call, that dawdle, or that only hold connections. */
import { expect, test } from 'vitest';
import { BASKET_PATH, patiently } from '../support/caller.ts';
import { RawConnection, requestBytes } from '../support/raw-connection.ts';
import { signatureOf } from '../support/signer.ts';
import { sleep } from '../support/wait.ts';
import type { BasketBody } from '../support/wire.ts';
import { basketOf, expectApplied, guestBasket, LAPSED_MS, shaOf, unitsOf, useFaultyService } from './support.ts';

const stage = useFaultyService();

/** The library cuts a connection whose headers or body come too slowly after about 10 s; the bytes would last for minutes. */
const CUT_LIMIT_MS = 60_000;

function bytesOf(basket: BasketBody): Buffer {
  const body = Buffer.from(JSON.stringify(basket));
  const headers = [
    `Host: ${new URL(stage.service.baseUrl).host}`,
    'Content-Type: application/json; charset=utf-8',
    `POS-Signature: ${signatureOf(stage.caller.secret, body)}`,
    `Idempotency-Key: ${basket.calculationId}`,
    `Content-Length: ${body.length}`,
  ];
  return requestBytes(`POST ${BASKET_PATH} HTTP/1.1`, headers, body);
}

async function expectHealthy(): Promise<void> {
  expect((await patiently(() => stage.caller.basket(basketOf()))).status).toBe(200);
  expect(stage.service.isAlive).toBe(true);
}

test.each([
  ['in the request line', 10],
  ['in the headers', 100],
  ['after half of the body', -500],
  ['before the last byte of the body', -1],
])('a caller that hangs up %s leaves no trace', async (_where, end) => {
  const basket = guestBasket();
  for (let count = 0; count < 20; count += 1) {
    const connection = await RawConnection.open(stage.service.baseUrl);
    connection.write(bytesOf(basket).subarray(0, end));
    await sleep(5);
    if (count % 2 === 0) connection.reset();
    else connection.close();
  }
  await sleep(100);
  expect(await unitsOf(stage.redis, basket.loyaltyId)).toEqual({ consumed: 0, over: 0, held: 0 });
  await expectHealthy();
  expectApplied(await patiently(() => stage.caller.basket(basket)));
});

/** Hangs up while a script of the call waits before Redis, which is then given it. */
async function hangUpAt(script: string, basket: BasketBody): Promise<void> {
  const armed = stage.proxy.ambush(shaOf(script), { kind: 'hold' });
  const connection = await RawConnection.open(stage.service.baseUrl);
  connection.write(bytesOf(basket));
  await armed.sprung;
  connection.reset();
  await sleep(50);
  armed.release();
  await sleep(300);
}

test.each(['lease-tokens', 'read-member'])(
  'a caller that hangs up before its basket is through %s holds nothing and claims nothing',
  async (script) => {
    await sleep(LAPSED_MS);
    const basket = guestBasket();
    await hangUpAt(script, basket);
    expect(await unitsOf(stage.redis, basket.loyaltyId)).toEqual({ consumed: 0, over: 0, held: 0 });
    expect(await stage.redis.client.keys(`*${basket.calculationId}*`)).toEqual([]);
    await expectHealthy();
    expectApplied(await patiently(() => stage.caller.basket(basket)));
  },
);

test('a caller that hangs up while its commit is under way finds one consistent state when it comes again', async () => {
  const basket = guestBasket();
  await hangUpAt('commit-calculation', basket);
  const { held } = await unitsOf(stage.redis, basket.loyaltyId);
  expectApplied(await patiently(() => stage.caller.basket(basket)), held === 1);
  expect(await unitsOf(stage.redis, basket.loyaltyId)).toEqual({ consumed: 0, over: 0, held: 1 });
  await expectHealthy();
});

test('500 callers that hang up at random moments do not end the process', async () => {
  const baskets = Array.from({ length: 500 }, () => basketOf());
  for (let at = 0; at < baskets.length; at += 50) {
    await Promise.all(
      baskets.slice(at, at + 50).map(async (basket, index) => {
        const connection = await RawConnection.open(stage.service.baseUrl);
        connection.write(bytesOf(basket));
        await sleep(index % 8);
        connection.reset();
      }),
    );
  }
  await sleep(200);
  await expectHealthy();
});

test('a caller that sends a byte a second is cut, and others do not notice', { timeout: 120_000 }, async () => {
  const idle = await Promise.all(Array.from({ length: 200 }, () => RawConnection.open(stage.service.baseUrl)));
  const [inHead, inBody] = [
    await RawConnection.open(stage.service.baseUrl),
    await RawConnection.open(stage.service.baseUrl),
  ];
  const bytes = bytesOf(basketOf());
  const headEnd = bytes.indexOf('\r\n\r\n') + 4;
  inBody.write(bytes.subarray(0, headEnd));
  let isOver = false;
  const drip = (async () => {
    for (let at = 0; !isOver; at += 1) {
      inHead.write(bytes.subarray(at, at + 1));
      inBody.write(bytes.subarray(headEnd + at, headEnd + at + 1));
      await sleep(1000);
    }
  })();
  const cut = Promise.all([inHead.closes(CUT_LIMIT_MS), inBody.closes(CUT_LIMIT_MS)]);
  let isCut = false;
  void cut.then(() => {
    isCut = true;
  });
  while (!isCut) {
    await expectHealthy();
    await sleep(100);
  }
  isOver = true;
  expect(await cut).toEqual([true, true]);
  await drip;
  for (const connection of [...idle, inHead, inBody]) connection.close();
});
