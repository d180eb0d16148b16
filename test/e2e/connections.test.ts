/** What callers do to connections: abort at every stage, pipeline, reuse, linger. */
import { describe, expect, test } from 'vitest';
import { basketOf } from '../support/baskets.ts';
import { BASKET_PATH, bytesOf } from '../support/caller.ts';
import { configurationOf, singleUseMembers } from '../support/configuration.ts';
import { holdsPerMember } from '../support/holds.ts';
import { checkAnswer } from '../support/judge.ts';
import { RawConnection, requestBytes } from '../support/raw-connection.ts';
import { useSharedService } from '../support/shared-service.ts';
import { signatureOf } from '../support/signer.ts';
import { sleep } from '../support/wait.ts';
import type { BasketBody } from '../support/wire.ts';

const stage = useSharedService(configurationOf({ moreMembers: singleUseMembers('guest', 60) }));

function requestFor(basket: BasketBody): { head: Buffer; body: Buffer; all: Buffer } {
  const body = bytesOf(basket);
  const head = requestBytes(`POST ${BASKET_PATH} HTTP/1.1`, [
    'Host: x',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    `Idempotency-Key: ${basket.calculationId}`,
    `POS-Signature: ${signatureOf(stage.caller.secret, body)}`,
  ]);
  return { head, body, all: Buffer.concat([head, body]) };
}

let members = 0;

describe('a caller who hangs up', () => {
  const stages: [string, (basket: BasketBody, connection: RawConnection) => Promise<void>, boolean][] = [
    ['after connecting', async () => {}, true],
    ['in the middle of the request line', async (_, connection) => connection.write('POST /v1/p'), true],
    [
      'in the middle of the headers',
      async (basket, connection) => connection.write(requestFor(basket).head.subarray(0, 90)),
      true,
    ],
    ['after the headers', async (basket, connection) => connection.write(requestFor(basket).head), true],
    [
      'in the middle of the body',
      async (basket, connection) => connection.write(requestFor(basket).all.subarray(0, -100)),
      true,
    ],
    [
      'one byte before the end',
      async (basket, connection) => connection.write(requestFor(basket).all.subarray(0, -1)),
      true,
    ],
    ['right after the last byte', async (basket, connection) => connection.write(requestFor(basket).all), false],
    [
      'a millisecond later',
      async (basket, connection) => {
        connection.write(requestFor(basket).all);
        await sleep(1);
      },
      false,
    ],
    [
      'three milliseconds later',
      async (basket, connection) => {
        connection.write(requestFor(basket).all);
        await sleep(3);
      },
      false,
    ],
  ];
  test.each(stages)('%s leaves nothing half done', async (_, hangUpAfter, isUnheard) => {
    for (const end of ['reset', 'close', 'halfClose'] as const) {
      const basket = basketOf([{}], { loyaltyId: `guest-${members++}` });
      const connection = await RawConnection.open(stage.service.baseUrl);
      await hangUpAfter(basket, connection);
      connection[end]();
      await sleep(50);
      const answer = await stage.caller.basket(basket);
      expect(answer.json().status).toBe('applied');
      if (isUnheard) expect(answer.isReplayed).toBe(false);
      connection.close();
    }
    expect(Math.max(...(await holdsPerMember(stage.redis)))).toBe(1);
  });

  test('a half-closed connection still gets its answer or is closed, and nothing hangs', async () => {
    const connection = await RawConnection.open(stage.service.baseUrl);
    connection.write(requestFor(basketOf()).all);
    connection.halfClose();
    const answer = await connection.readAnswer(3_000);
    expect(answer?.status ?? 200).toBe(200);
    expect(await connection.closes()).toBe(true);
  });
});

describe('one connection', () => {
  test('serves many calls, one after the other, good and bad', async () => {
    const connection = await RawConnection.open(stage.service.baseUrl);
    for (let round = 0; round < 50; round += 1) {
      const basket = basketOf();
      connection.write(requestFor(basket).all);
      const answer = await connection.readAnswer();
      expect(answer?.status).toBe(200);
      if (answer) checkAnswer({ endpoint: 'basket', answer, request: basket });
      const bad = requestFor({ ...basket, calculationId: basketOf().calculationId, currency: 'XXX' });
      connection.write(bad.all);
      expect((await connection.readAnswer())?.status).toBe(422);
    }
    connection.close();
  });

  test('byte by byte gives the same answer', async () => {
    const connection = await RawConnection.open(stage.service.baseUrl);
    const basket = basketOf();
    for (const byte of requestFor(basket).all) connection.write(Buffer.of(byte));
    const answer = await connection.readAnswer();
    expect(answer?.status).toBe(200);
    if (answer) checkAnswer({ endpoint: 'basket', answer, request: basket });
    connection.close();
  });

  test('with requests in a pipeline: what is answered is right and in order, what is not is done at most once', async () => {
    const baskets = Array.from({ length: 3 }, () => basketOf([{}], { loyaltyId: `guest-${members++}` }));
    const connection = await RawConnection.open(stage.service.baseUrl);
    connection.write(Buffer.concat(baskets.map((basket) => requestFor(basket).all)));
    const answers = await connection.readAnswers();
    answers.forEach((answer, index) => {
      const request = baskets[index];
      expect(answer.status).toBe(200);
      if (request) checkAnswer({ endpoint: 'basket', answer, request });
    });
    for (const basket of baskets) expect((await stage.caller.basket(basket)).json().status).toBe('applied');
    expect(Math.max(...(await holdsPerMember(stage.redis)))).toBe(1);
    connection.close();
  });
});
