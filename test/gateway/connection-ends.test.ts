/** What becomes of a connection: kept after most answers, closed after the last one, and what a body on its way has to do with it. */
import { describe, expect, test } from 'vitest';
import { basketOf } from '../support/baskets.ts';
import { BASKET_PATH } from '../support/caller.ts';
import type { RawConnection } from '../support/raw-connection.ts';
import { until } from '../support/wait.ts';
import { basketsDo, connectTo, type House, signed, useHouse } from './support/house.ts';

/** No call is fast enough, so the limit of calls in flight never rises while a test fills it. */
const house = useHouse({ p95BudgetMs: () => -1 });
const lastEnd = () => until('the end of the call', () => house.ended.at(-1));

const CHUNKED = 'Transfer-Encoding: chunked';
/** A right call in one chunk. */
const chunked = (own: House) => {
  const [head = '', body = ''] = signed(own, BASKET_PATH, basketOf()).toString('latin1').split('\r\n\r\n');
  const length = Buffer.byteLength(body, 'latin1').toString(16);
  return `${head.replace(/Content-Length: \d+/, CHUNKED)}\r\n\r\n${length}\r\n${body}\r\n0\r\n\r\n`;
};
const isKept = async (connection: RawConnection) => {
  connection.write(signed(house, BASKET_PATH, basketOf()));
  return (await connection.readAnswer())?.status === 200;
};

describe('a connection', () => {
  test('is kept after an answer and after the refusal of a known caller', async () => {
    const connection = await connectTo(house, signed(house, BASKET_PATH, basketOf()));
    const answer = await connection.readAnswer();
    expect([answer?.status, answer?.header('Connection')]).toEqual([200, undefined]);
    connection.write(signed(house, BASKET_PATH, { ...basketOf(), currency: 'SEK' }));
    expect((await connection.readAnswer())?.status).toBe(422);
    expect(await isKept(connection)).toBe(true);
    connection.close();
  });
});

describe('a body', () => {
  test('whose end nobody knows is refused for that, whatever it is sent to', async () => {
    for (const line of ['GET /nowhere', `DELETE ${BASKET_PATH}`]) {
      const connection = await connectTo(house, `${line} HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n`);
      const answer = await connection.readAnswer();
      expect([answer?.status, answer?.details.field]).toEqual([400, 'content-length']);
      expect(await connection.closes()).toBe(true);
    }
  });

  test('of which no end comes is given up, and its call is counted among those', async () => {
    const half = signed(house, BASKET_PATH, basketOf()).subarray(0, -10);
    for (const [reason, cut] of [
      ['upload', () => house.gateway.uploads.cutLate(performance.now() + 60_000)],
      ['drain', () => house.gateway.uploads.cutAll()],
    ] as const) {
      const connection = await connectTo(house, half);
      await until('the body', () => house.gateway.uploads.state.unfinished === 1);
      cut();
      const answer = await connection.readAnswer();
      expect([answer?.status, answer?.header('Connection'), answer?.json()]).toMatchObject([
        ...[
          503,
          'close',
          { error: { code: 'unavailable', message: expect.stringContaining('took too long to arrive') } },
        ],
      ]);
      expect(await connection.closes()).toBe(true);
      expect((await lastEnd()).record).toEqual({
        route: BASKET_PATH,
        stage: 'unfinished',
        reason,
        code: 'unavailable',
      });
    }
  });

  test('whose sender hangs up leaves an unfinished call, and a whole one does not', async () => {
    const startMs = performance.now();
    const connection = await connectTo(house, signed(house, BASKET_PATH, basketOf()).subarray(0, -1));
    await until('the body', () => house.gateway.uploads.state.unfinished === 1);
    connection.reset();
    const aborted = await lastEnd();
    expect(aborted).toMatchObject({ isAborted: true, status: 0, record: { stage: 'unfinished' } });
    expect(aborted.durationMs).toBeLessThanOrEqual(performance.now() - startMs);
    expect(house.gateway.uploads.state.unfinished).toBe(0);

    basketsDo(house, () => new Promise(() => undefined));
    const whole = await connectTo(house, signed(house, BASKET_PATH, basketOf()));
    await until('the call', () => house.gateway.admission.inFlight === 1);
    whole.reset();
    const end = await until('its end', () => house.ended[1]);
    expect([end.isAborted, end.record.stage, house.gateway.admission.inFlight]).toEqual([true, 'known', 0]);
  });
});

describe('above the limit of calls in flight', () => {
  const crowd = async (play: () => Promise<void>) => {
    const { admission } = house.gateway;
    let taken = 0;
    for (; admission.admit('basket'); taken += 1);
    try {
      await play();
    } finally {
      for (; taken > 0; taken -= 1) admission.leave('basket', undefined);
    }
  };
  const shed = { route: BASKET_PATH, stage: 'shed', reason: 'admission', code: 'unavailable' };

  test('a call is refused by its head, and its connection is kept when its body is there', async () => {
    await crowd(async () => {
      const connection = await connectTo(house, signed(house, BASKET_PATH, basketOf()));
      const answer = await connection.readAnswer();
      expect([answer?.status, answer?.code, answer?.header('Connection')]).toEqual([503, 'unavailable', undefined]);
      expect((await lastEnd()).record).toEqual(shed);
      connection.write(signed(house, BASKET_PATH, basketOf()));
      expect((await connection.readAnswer())?.status).toBe(503);
      connection.close();
    });
    expect(house.gateway.admission.inFlight).toBe(0);
    expect((await house.caller.basket(basketOf())).status).toBe(200);
  });

  test('a call whose body does not come is refused before it, and its connection ends', async () => {
    await crowd(async () => {
      const connection = await connectTo(house, signed(house, BASKET_PATH, basketOf()).subarray(0, -5));
      const answer = await connection.readAnswer();
      expect([answer?.status, answer?.header('Connection')]).toEqual([503, 'close']);
      // A connection that is closed with unread bytes is reset, and its caller may miss the answer.
      expect(await connection.closes(100)).toBe(false);
      connection.write(Buffer.alloc(5));
      expect(await connection.closes()).toBe(true);
      expect((await lastEnd()).record).toEqual(shed);
    });
  });

  test('a call in chunks is refused with its last byte', async () => {
    await crowd(async () => {
      const connection = await connectTo(house, chunked(house));
      expect((await connection.readAnswer())?.status).toBe(503);
      expect((await lastEnd()).record).toEqual(shed);
      connection.close();
    });
  });
});
