/**
 * The description of the interface on the public listener: where it is switched on it is one page a
 * connection and a few at a time for whoever asks, while callers who sign are served.
 */
import { describe, expect, test } from 'vitest';
import { basketOf } from '../support/baskets.ts';
import { Flood, RawConnection } from '../support/raw-connection.ts';
import { useService } from '../support/service.ts';
import { sleep, until } from '../support/wait.ts';

const stage = useService({ env: { DOCS_PUBLIC: '1' } });

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

/** A page as soon as it may be had again. */
function fetchPage(path: string): Promise<Response> {
  return until('a page', async () => {
    const answer = await fetch(stage.service.baseUrl + path);
    if (answer.status === 200) return answer;
    await answer.text();
    await sleep(200);
    return false;
  });
}

test.each(['/docs', '/openapi.json'])(
  '%s is that of the operations listener, and ends its connection',
  async (path) => {
    const published = await fetchPage(path);
    const own = await fetch(stage.service.opsUrl + path);
    expect(await published.text()).toBe(await own.text());
    for (const name of ['content-type', 'content-security-policy', 'x-content-type-options']) {
      expect(published.headers.get(name)).toBe(own.headers.get(name));
    }
    expect(published.headers.get('connection')).toBe('close');
    expect(published.headers.get('server-timing')).toMatch(/^app;dur=/);
    expect(published.headers.get('loyalty-interface')).toBe('0.1.0-draft');
  },
);

test('nothing else of the operations listener is there', async () => {
  for (const path of [
    '/',
    '/openapi-admin.json',
    '/metrics',
    '/healthz',
    '/readyz',
    '/admin/sales',
    '/docs/',
    '/docs?x',
  ]) {
    const { status } = await fetch(stage.service.baseUrl + path);
    expect([path, status]).toEqual([path, path === '/docs?x' ? expect.anything() : 404]);
  }
});

test('another method is 405, and a body is 400', async () => {
  const posted = await fetch(`${stage.service.baseUrl}/docs`, { method: 'POST', body: '{}' });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET']);
  const connection = await RawConnection.open(stage.service.baseUrl);
  connection.write('GET /docs HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}');
  expect((await connection.readAnswer())?.status).toBe(400);
  expect(await connection.closes()).toBe(true);
});

describe('strangers', () => {
  test.each(['reads', 'never reads'])(
    'who pipeline pages without end get one at most, and a signed call is answered (%s)',
    async (kind) => {
      const flood = await Flood.open(stage.service.baseUrl, get('/docs'), kind === 'reads');
      expect((await stage.caller.basket(basketOf())).status).toBe(200);
      await flood.ended();
      expect(flood.answers).toBeLessThanOrEqual(1);
    },
  );

  test('get few pages a second, and 429 beyond; a signed call is answered meanwhile', async () => {
    const asked = await Promise.all(
      Array.from({ length: 200 }, async () => {
        const answer = await fetch(`${stage.service.baseUrl}/openapi.json`);
        await answer.text();
        return answer;
      }),
    );
    expect((await stage.caller.basket(basketOf())).status).toBe(200);
    const refused = asked.filter(({ status }) => status === 429);
    expect(asked.filter(({ status }) => status === 200).length).toBe(asked.length - refused.length);
    // However long the machine stood still, not every one of them fell into a second of its own.
    expect(refused.length).toBeGreaterThan(0);
    for (const { headers } of refused) expect(headers.get('retry-after')).toBe('1');
  });
});
