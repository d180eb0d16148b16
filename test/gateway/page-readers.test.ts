/** Readers of a public page: it is sent as they take it, and none keeps its place for ever. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PublicPages } from '../../src/gateway/public-pages.ts';
import { PublicServer } from '../../src/gateway/server.ts';
import { RawConnection } from '../support/raw-connection.ts';
import { until } from '../support/wait.ts';
import { useHouse } from './support/house.ts';

const house = useHouse();
const GET = 'GET /docs HTTP/1.1\r\nHost: x\r\n\r\n';
/** More than the buffers of a connection hold, and alike nowhere. */
const body = Array.from({ length: 1_000_000 }, (_, at) => at).join(' ');
const page = { contentType: 'text/plain', headers: {}, body };
const find = (path: string) => (path === '/docs' ? page : undefined);

let gateway: PublicServer;
let baseUrl: string;
const opened: RawConnection[] = [];

// Pages are few a second, so each test has a listener of its own.
beforeEach(async () => {
  gateway = new PublicServer({ ...house.parts, publicPages: new PublicPages(find) });
  baseUrl = `http://127.0.0.1:${await gateway.listen('127.0.0.1', 0)}`;
});
afterEach(async () => {
  for (const connection of opened.splice(0)) connection.close();
  await gateway.drain(0);
});

async function ask(takesNothing = false, bytes = GET): Promise<RawConnection> {
  const connection = await RawConnection.open(baseUrl);
  opened.push(connection);
  if (takesNothing) connection.pause();
  connection.write(bytes);
  return connection;
}

async function statusOf(asked = ask()): Promise<number | undefined> {
  const connection = await asked;
  const answer = await connection.readAnswer(30_000);
  connection.close();
  return answer?.status;
}

/** Eight readers who take nothing have all places. */
async function fillPlaces(): Promise<RawConnection[]> {
  const count = house.ended.length;
  const readers = await Promise.all(Array.from({ length: 8 }, () => ask(true)));
  while (house.ended.length < count + 8) await nextTurn();
  expect(await statusOf()).toBe(429);
  return readers;
}

test('a page is sent as it is read, whole and in order, to one after the other', async () => {
  for (let reader = 0; reader < 2; reader += 1) {
    const connection = await ask();
    expect((await connection.readAnswer(30_000))?.text === body).toBe(true);
    connection.close();
  }
});

test('a page that is not there takes no place, and gives none back', async () => {
  expect(await statusOf(ask(false, GET.replace('/docs', '/openapi.json')))).toBe(429);
  await fillPlaces();
});

test('two requests at once end their connection without a page, and keep no place', async () => {
  for (let round = 0; round < 9; round += 1) {
    const connection = await ask(false, GET + GET);
    expect([await connection.closes(), connection.unread.length]).toEqual([true, 0]);
  }
  expect(await statusOf()).toBe(200);
});

test('a request with a body is refused, and gives its place back', async () => {
  const bodies = ['Content-Length: 2', 'Transfer-Encoding: chunked', 'Content-Length: x'];
  for (let round = 0; round < 9; round += 1) {
    const bytes = GET.replace('\r\n\r\n', `\r\n${bodies[round % 3]}\r\n\r\n{}`);
    expect(await statusOf(ask(false, bytes))).toBe(400);
  }
  expect(await statusOf(ask(false, GET.replace('\r\n\r\n', '\r\nContent-Length: 0\r\n\r\n')))).toBe(200);
});

test('twenty pages are begun in a second, and one that is not there is none of them', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    // From the beginning of a second on.
    vi.advanceTimersByTime(1_000 - (performance.now() % 1_000));
    const pages = new PublicPages(find);
    const countTaken = (most = 100) => {
      let taken = 0;
      for (; taken < most && pages.take('/docs'); taken += 1) pages.release();
      return taken;
    };
    for (let asked = 0; asked < 30; asked += 1) expect(pages.take('/openapi.json')).toBeUndefined();
    expect(countTaken(5)).toBe(5);
    vi.advanceTimersByTime(999);
    expect(countTaken()).toBe(15);
    vi.advanceTimersByTime(1);
    expect(countTaken()).toBe(20);
  } finally {
    vi.useRealTimers();
  }
});

test('a page that is not published is a path that nobody knows', async () => {
  for (const path of ['/docs', '/openapi.json']) {
    expect((await house.caller.send(path, '', { method: 'GET' })).status).toBe(404);
  }
});

test('a reader who hangs up gives its place back, and only one', async () => {
  const [one] = await fillPlaces();
  one!.reset();
  await until('a place', async () => (await statusOf()) === 200);
  await ask(true);
  await until('no place', async () => (await statusOf()) === 429);
});

test('a reader who has not taken its page after ten seconds loses its place, and one who has is left alone', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    expect(await statusOf()).toBe(200);
    // An answer that has been sent must not be touched again.
    vi.advanceTimersByTime(10_000);
    await fillPlaces();
    vi.advanceTimersByTime(9_999);
    expect(await statusOf()).toBe(429);
    vi.advanceTimersByTime(1);
    expect(await statusOf()).toBe(200);
  } finally {
    vi.useRealTimers();
  }
});
