/** What callers do to connections: abort at every stage, pipeline, reuse, linger. */
import { describe, expect, test } from 'vitest';
import type { Answer } from '../support/answer.ts';
import { basketOf } from '../support/baskets.ts';
import { patiently } from '../support/caller.ts';
import { configurationOf, singleUseMembers } from '../support/configuration.ts';
import { holdsPerMember } from '../support/holds.ts';
import { checkAnswer } from '../support/judge.ts';
import { callBytes, RawConnection } from '../support/raw-connection.ts';
import { useSharedService } from '../support/shared-service.ts';
import { sleep, until } from '../support/wait.ts';
import type { BasketBody } from '../support/wire.ts';

const stage = useSharedService(configurationOf({ moreMembers: singleUseMembers('guest', 60) }));

const callOf = (basket: BasketBody): Buffer => callBytes(stage.caller.secret, basket);

/** Sends a call on this connection, again where a machine that stood still had it refused at its deadline. */
const answerOn = (connection: RawConnection, send: () => void): Promise<Answer> =>
  patiently(async () => {
    send();
    const answer = await connection.readAnswer();
    if (!answer) throw new Error('the connection has no answer');
    return answer;
  });

let members = 0;

describe('a caller who hangs up', () => {
  const END_OF_HEAD = '\r\n\r\n';
  const headOf = (call: Buffer) => call.subarray(0, call.indexOf(END_OF_HEAD) + END_OF_HEAD.length);
  const whole = (call: Buffer) => call;

  test.each<[string, (call: Buffer) => Buffer | string, waitMs?: number]>([
    ['after connecting', () => ''],
    ['in the middle of the request line', () => 'POST /v1/p'],
    ['in the middle of the headers', (call) => call.subarray(0, 90)],
    ['after the headers', headOf],
    ['in the middle of the body', (call) => call.subarray(0, -100)],
    ['one byte before the end', (call) => call.subarray(0, -1)],
    ['right after the last byte', whole, 0],
    ['a millisecond later', whole, 1],
    ['three milliseconds later', whole, 3],
  ])('%s leaves nothing half done', async (_, part, waitMs) => {
    for (const end of ['reset', 'close', 'halfClose'] as const) {
      const basket = basketOf([{}], { loyaltyId: `guest-${members++}` });
      const connection = await RawConnection.open(stage.service.baseUrl);
      connection.write(part(callOf(basket)));
      if (waitMs) await sleep(waitMs);
      connection[end]();
      await sleep(50);
      const answer = await stage.caller.basket(basket);
      expect(answer.json().status).toBe('applied');
      if (waitMs === undefined) expect(answer.isReplayed).toBe(false);
      connection.close();
    }
    expect(Math.max(...(await holdsPerMember(stage.redis)))).toBe(1);
  });

  test('a half-closed connection still gets its answer or is closed, and nothing hangs', async () => {
    // A call that a machine at a standstill has refused at its deadline is made again.
    await until('an end in time', async () => {
      const connection = await RawConnection.open(stage.service.baseUrl);
      connection.write(callOf(basketOf()));
      connection.halfClose();
      const answer = await connection.readAnswer();
      expect(await connection.closes()).toBe(true);
      if (answer?.status === 503) return false;
      expect(answer?.status ?? 200).toBe(200);
      return true;
    });
  });
});

describe('one connection', () => {
  test('serves many calls, one after the other, good and bad', async () => {
    const connection = await RawConnection.open(stage.service.baseUrl);
    for (let round = 0; round < 50; round += 1) {
      const basket = basketOf();
      const answer = await answerOn(connection, () => connection.write(callOf(basket)));
      expect(answer.status).toBe(200);
      checkAnswer({ endpoint: 'basket', answer, request: basket });
      const wrong = callOf(basketOf([{}], { currency: 'XXX' }));
      expect((await answerOn(connection, () => connection.write(wrong))).status).toBe(422);
    }
    connection.close();
  });

  test('byte by byte gives the same answer', async () => {
    const connection = await RawConnection.open(stage.service.baseUrl);
    const basket = basketOf();
    const answer = await answerOn(connection, () => {
      for (const byte of callOf(basket)) connection.write(Buffer.of(byte));
    });
    expect(answer.status).toBe(200);
    checkAnswer({ endpoint: 'basket', answer, request: basket });
    connection.close();
  });

  test('with requests in a pipeline: what is answered is right and in order, what is not is done at most once', async () => {
    // Where a machine that stands still has one refused at its deadline, others are sent.
    await until('answers in time', async () => {
      const baskets = Array.from({ length: 3 }, () => basketOf([{}], { loyaltyId: `guest-${members++}` }));
      const connection = await RawConnection.open(stage.service.baseUrl);
      connection.write(Buffer.concat(baskets.map(callOf)));
      const answers = await connection.readAnswers();
      answers.forEach((answer, index) => {
        const request = baskets[index];
        if (request) checkAnswer({ endpoint: 'basket', answer, request });
      });
      for (const basket of baskets) expect((await stage.caller.basket(basket)).json().status).toBe('applied');
      expect(Math.max(...(await holdsPerMember(stage.redis)))).toBe(1);
      connection.close();
      if (answers.some(({ status }) => status === 503)) return false;
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      return true;
    });
  });
});
