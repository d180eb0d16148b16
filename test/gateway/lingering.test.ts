/** A refused body that is still on its way: its connection waits for the rest, for a moment, and no other one does. */
import { describe, expect, test } from 'vitest';
import { basketOf } from '../support/baskets.ts';
import { BASKET_PATH } from '../support/caller.ts';
import type { RawConnection } from '../support/raw-connection.ts';
import { until } from '../support/wait.ts';
import { connectTo, signed, useHouse } from './support/house.ts';

const house = useHouse();
const LIMIT = 262_144;
const TOO_LARGE = `POST ${BASKET_PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: ${LIMIT + 1}\r\n\r\n`;

/** Plays a scene in which a connection lingers, again if this process stood still for so long that it may have ended. */
async function whileOneLingers(play: (lingering: RawConnection) => Promise<void>): Promise<void> {
  for (let startMs = -Infinity; performance.now() - startMs > 800; ) {
    startMs = performance.now();
    const lingering = await connectTo(house, TOO_LARGE, Buffer.alloc(10));
    expect((await lingering.readAnswer())?.status).toBe(413);
    try {
      await play(lingering);
      return;
    } catch (error) {
      if (performance.now() - startMs <= 800) throw error;
    } finally {
      lingering.close();
    }
  }
}

describe('a body', () => {
  test('that is too large is waited for, and a connection ends earlier without one or with the last byte', async () => {
    await whileOneLingers(async (lingering) => {
      const whole = await connectTo(house, TOO_LARGE, Buffer.alloc(10));
      expect((await whole.readAnswer())?.status).toBe(413);
      whole.write(Buffer.alloc(LIMIT - 9));
      const none = await connectTo(house, 'GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n');
      const stranger = { ...house, secret: '00'.repeat(32) };
      const strange = await connectTo(house, signed(stranger, BASKET_PATH, basketOf()));
      for (const connection of [whole, none, strange]) expect(await connection.closes()).toBe(true);
      expect(await lingering.closes(0)).toBe(false);
    });
  });

  test('for a path that nobody knows is waited for too, but not one in chunks, nor one that is empty', async () => {
    await whileOneLingers(async (lingering) => {
      const sendTo = (...rest: readonly string[]) => connectTo(house, 'POST /nowhere HTTP/1.1\r\nHost: x\r\n', ...rest);
      const some = await sendTo('Content-Length: 5\r\n\r\n{');
      const chunked = await sendTo('Transfer-Encoding: chunked\r\n\r\n5\r\n{');
      const empty = await sendTo('Content-Length: 0\r\n\r\n');
      for (const one of [some, chunked, empty]) expect((await one.readAnswer())?.status).toBe(404);
      for (const one of [chunked, empty]) expect(await one.closes()).toBe(true);
      expect([await some.closes(0), await lingering.closes(0)]).toEqual([false, false]);
      some.write(Buffer.alloc(4));
      expect([await some.closes(), await lingering.closes(0)]).toEqual([true, false]);
    });
  });

  test('in chunks that is given up has an answer that is sent at once, since nobody knows what follows', async () => {
    const head = `POST ${BASKET_PATH} HTTP/1.1\r\nHost: x\r\n`;
    const isPadded: boolean[] = [];
    for (const begun of ['Transfer-Encoding: chunked\r\n\r\n5\r\n{', 'Content-Length: 5\r\n\r\n{']) {
      const connection = await connectTo(house, head, begun);
      await until('the body', () => house.gateway.uploads.state.unfinished === 1);
      house.gateway.uploads.cutAll();
      const answer = await connection.readAnswer();
      expect([answer?.status, await connection.closes()]).toEqual([503, true]);
      isPadded.push(`${answer!.text.trimEnd()}\r\n` !== answer!.text);
    }
    expect(isPadded).toEqual([true, false]);
  });

  test('whose sender hangs up after the refusal ends the call once, and breaks nothing later', async () => {
    const broken: Error[] = [];
    const note = (error: Error) => broken.push(error);
    process.on('uncaughtExceptionMonitor', note);
    const gone = await connectTo(house, TOO_LARGE);
    expect((await gone.readAnswer())?.status).toBe(413);
    gone.reset();
    const later = await connectTo(house, TOO_LARGE);
    expect([(await later.readAnswer())?.status, await later.closes()]).toEqual([413, true]);
    expect(house.ended.map(({ status, isAborted }) => [status, isAborted])).toEqual(Array(2).fill([413, false]));
    process.off('uncaughtExceptionMonitor', note);
    expect(broken).toEqual([]);
  });
});
