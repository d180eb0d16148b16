/** A listener that ends: it answers what is under way, and takes nothing new. */
import { describe, expect, test } from 'vitest';
import { PublicServer } from '../../src/gateway/server.ts';
import { basketOf } from '../support/baskets.ts';
import { BASKET_PATH } from '../support/caller.ts';
import { freePorts } from '../support/free-ports.ts';
import { RawConnection } from '../support/raw-connection.ts';
import { sleep, until } from '../support/wait.ts';
import { basketsDo, signed, useHouse } from './support/house.ts';

const house = useHouse();
const lastEnd = () => until('the end of the call', () => house.ended.at(-1));

async function openOther() {
  const other = new PublicServer(house.parts);
  const port = await other.listen('127.0.0.1', 0);
  return { other, baseUrl: `http://127.0.0.1:${port}` };
}

/** Calls stay under way until they are let go. */
function holdCalls(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { basket } = house.parts.calls;
  basketsDo(house, (...args) => promise.then(() => basket(...args)));
  return resolve;
}

const statuses = (connections: readonly RawConnection[]) =>
  Promise.all(
    connections.map(async (connection) => {
      const answer = await connection.readAnswer();
      return [answer?.status, answer?.header('Connection')];
    }),
  );

describe('a listener that ends', () => {
  test('takes no connection while it pauses, closes those that it has after an answer, and listens again', async () => {
    // Gateways share a port that is named, which one that the system chose cannot be.
    const [port = 0] = await freePorts(1);
    const baseUrl = `http://127.0.0.1:${port}`;
    const other = new PublicServer(house.parts);
    await other.listen('127.0.0.1', port);
    const kept = await RawConnection.open(baseUrl);
    other.pause();
    expect(other.isListening).toBe(false);
    await expect(RawConnection.open(baseUrl)).rejects.toThrow('ECONNREFUSED');
    kept.write(signed(house, BASKET_PATH, basketOf()));
    expect(await statuses([kept])).toEqual([[200, 'close']]);
    expect(await other.listen('127.0.0.1', port)).toBe(port);
    const again = await RawConnection.open(baseUrl);
    again.write(signed(house, BASKET_PATH, basketOf()));
    expect(await statuses([again])).toEqual([[200, undefined]]);
    await other.drain(0);
  });

  test('takes no new connection while it waits, and bodies may arrive as long as a call is under way', async () => {
    const { other, baseUrl } = await openOther();
    const finish = holdCalls();
    const [waiting, sending] = await Promise.all([1, 2].map(() => RawConnection.open(baseUrl)));
    const call = signed(house, BASKET_PATH, basketOf());
    waiting!.write(signed(house, BASKET_PATH, basketOf()));
    sending!.write(call.subarray(0, -1));
    await until('the call', () => other.admission.inFlight === 1 && other.uploads.state.unfinished === 1);
    const drained = other.drain(60_000);
    await expect(RawConnection.open(baseUrl)).rejects.toThrow('ECONNREFUSED');
    // Longer than connections that are just being opened are waited for.
    await sleep(350);
    sending!.write(call.subarray(-1));
    await until('the other call', () => other.admission.inFlight === 2);
    finish();
    expect((await statuses([waiting!, sending!])).map(([status]) => status)).toEqual([200, 200]);
    await drained;
  });

  test('waits for a call that begins when bodies are given up', async () => {
    const { other } = await openOther();
    const cut = new Promise<void>((resolve) => {
      other.uploads.begin(() => {
        other.admission.admit('basket');
        resolve();
      });
    });
    let isDrained = false;
    const drained = other.drain(60_000).then(() => {
      isDrained = true;
    });
    await cut;
    await sleep(60);
    expect(isDrained).toBe(false);
    other.admission.leave('basket', undefined);
    await drained;
  });

  test('does not wait longer than it may', async () => {
    const { other, baseUrl } = await openOther();
    basketsDo(house, () => new Promise(() => undefined));
    const connection = await RawConnection.open(baseUrl);
    connection.write(signed(house, BASKET_PATH, basketOf()));
    await until('the call', () => other.admission.inFlight === 1);
    await other.drain(0);
    expect(await connection.closes()).toBe(true);
    expect(await lastEnd()).toMatchObject({ isAborted: true });
  });
});
