/**
 * Whoever cannot sign gets one answer a connection, a few lines of the log, and no more of the event loop and the memory than
 * that: neither who reads what is answered nor who never does. Callers who sign are served meanwhile.
 */
import { describe, expect, test } from 'vitest';
import { basketOf } from '../support/baskets.ts';
import { BASKET_PATH, bytesOf } from '../support/caller.ts';
import { readingOf, scrape } from '../support/metrics.ts';
import { Flood, RawConnection } from '../support/raw-connection.ts';
import { useSharedService } from '../support/shared-service.ts';
import { sleep, until } from '../support/wait.ts';

const stage = useSharedService();

const unsigned = `POST ${BASKET_PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}`;

const requests: [string, string, string][] = [
  ['an unknown path', 'baseUrl', 'GET /x HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['another method', 'baseUrl', `GET ${BASKET_PATH} HTTP/1.1\r\nHost: x\r\n\r\n`],
  ['HEAD', 'baseUrl', 'HEAD /x HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['an unsigned call', 'baseUrl', unsigned],
  ['an unknown path of the operations listener', 'opsUrl', 'GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ['its health', 'opsUrl', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'],
];

async function answeredRequests(): Promise<number> {
  return readingOf(await scrape(stage.service), 'loyalty_requests_total') ?? 0;
}

describe.each(requests)('%s, pipelined without end', (_, listener, request) => {
  test.each(['reads', 'never reads'])(
    'by one who %s: the connection is closed, and a signed call is answered',
    async (kind) => {
      const before = await answeredRequests();
      const address = stage.service[listener as 'baseUrl' | 'opsUrl'];
      const flood = await Flood.open(address, request, kind === 'reads');
      expect((await stage.caller.basket(basketOf())).status).toBe(200);
      await flood.ended();
      expect(flood.answers).toBeLessThanOrEqual(1);
      // The signed call may have been tried again after a refusal.
      expect((await answeredRequests()) - before).toBeLessThan(10);
    },
  );
});

const CHUNKED = `POST ${BASKET_PATH} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`;

test.each(['a', '}'])('a body in chunks of one byte (%s) is refused long before its end', async (byte) => {
  const connection = await RawConnection.open(stage.service.baseUrl);
  // The body never ends, so only the number of its chunks can have it refused.
  connection.write(`${CHUNKED}${`1\r\n${byte}\r\n`.repeat(5_000)}`);
  const answer = await connection.readAnswer();
  expect([answer?.status, answer?.header('Connection')]).toEqual([400, 'close']);
  expect(answer?.json()).toMatchObject({ error: { details: { expected: 'fewer and larger chunks' } } });
  expect(await connection.closes()).toBe(true);
});

test('small chunks of many bodies share a bound, and chunks of a usual size are read meanwhile', async () => {
  const request = `${CHUNKED}${'1\r\na\r\n'.repeat(1_500)}`;
  const strangers = await Promise.all(Array.from({ length: 30 }, () => RawConnection.open(stage.service.baseUrl)));
  for (const stranger of strangers) stranger.write(request);
  const basket = basketOf([{}, {}, {}]);
  const answer = await stage.caller.send(BASKET_PATH, bytesOf(basket), { chunkBytes: 32 });
  expect(answer.status).toBe(200);
  const refused = await Promise.all(strangers.map((stranger) => stranger.readAnswer(1_000)));
  expect(refused.filter((refusal) => refusal?.status === 400).length).toBeGreaterThan(0);
  for (const stranger of strangers) stranger.close();
});

/** Refuses so many requests, and expects few lines of the log, which together count them all. */
async function expectFewLines(sent: number, words: string, refuseAll: () => Promise<void>): Promise<string[]> {
  await sleep(1_100);
  const from = stage.service.output.length;
  await refuseAll();
  const lines = () => stage.service.output.slice(from).filter((line) => line.includes(words));
  const countOf = (line: string) => (JSON.parse(line) as { count?: number }).count ?? 1;
  await until('all to be in the log', () => lines().reduce((sum, line) => sum + countOf(line), 0) === sent);
  expect(lines().length).toBeLessThan(sent / 3);
  return lines();
}

test('of a flood of unsigned requests the log has a few lines, and a count of the others', async () => {
  const lines = await expectFewLines(300, '"httpStatus":404', async () => {
    const refuse = async () => {
      const connection = await RawConnection.open(stage.service.baseUrl);
      connection.write('GET /nothing-here HTTP/1.1\r\nHost: x\r\n\r\n');
      expect((await connection.readAnswer())?.status).toBe(404);
      connection.close();
    };
    // Some at once: a few lines a second are no flood, however slow the machine is.
    for (let sent = 0; sent < 300; sent += 30) await Promise.all(Array.from({ length: 30 }, refuse));
  });
  expect(lines.every((line) => line.includes('"route":"unknown"'))).toBe(true);
});

test('of calls of the administration without a token the log has a few lines, and a count of the others', async () => {
  await expectFewLines(100, 'administration refused', async () => {
    const answers = Array.from({ length: 100 }, () => fetch(`${stage.service.opsUrl}/admin/members`));
    for (const answer of await Promise.all(answers)) expect(answer.status).toBe(401);
  });
});

test('a body that the operations listener does not want ends its connection', async () => {
  for (const path of ['/healthz', '/nowhere', '/admin/clock']) {
    const connection = await RawConnection.open(stage.service.opsUrl);
    connection.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n`);
    expect((await connection.readAnswer())?.header('Connection')).toBe('close');
    expect(await connection.closes()).toBe(true);
  }
});
