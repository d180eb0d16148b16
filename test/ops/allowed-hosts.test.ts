/** Under which names the operations port answers: a page that points its own name at us (DNS rebinding) reads nothing. */
import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { isAllowedHost } from '../../packages/console/src/allowed-hosts.ts';
import { useService } from '../support/service.ts';
import { OPS_TOKEN } from './admin-client.ts';

describe('the operations port', () => {
  const env = { OPS_TOKEN, OPS_ALLOWED_HOSTS: 'metrics.example, gateway' };
  const stage = useService({ env });

  function get(path: string, host: string): Promise<{ status: number; text: string }> {
    const headers = { Host: host, Authorization: `Bearer ${OPS_TOKEN}` };
    return new Promise((resolve, reject) => {
      const sent = request(stage.service.opsUrl + path, { headers, agent: false }, async (answer) => {
        let text = '';
        for await (const chunk of answer.setEncoding('utf8')) text += chunk;
        resolve({ status: answer.statusCode ?? 0, text });
      });
      sent.once('error', reject);
      sent.end();
    });
  }

  const PATHS = ['/', '/metrics', '/live', '/readyz', '/openapi.json', '/admin/configuration', '/nowhere'];

  test.each(['evil.example', 'gateway.evil.example', 'localhost.evil.example:9090', '127.0.0.1.evil.example'])(
    '%s is refused on every path, also with a token, and told which setting it is',
    async (host) => {
      for (const path of PATHS) {
        const { status, text } = await get(path, host);
        expect([path, status, Object.keys(JSON.parse(text))]).toEqual([path, 421, ['error']]);
        expect(text).toContain('OPS_ALLOWED_HOSTS');
      }
    },
  );

  test.each([
    'localhost',
    'LOCALHOST:9090',
    '127.0.0.1:9090',
    '[::1]:9090',
    '10.1.2.3',
    'gateway:9090',
    'Metrics.Example.',
  ])('%s is answered', async (host) => {
    const statuses = PATHS.map(async (path) => (await get(path, host)).status);
    expect(await Promise.all(statuses)).toEqual([200, 200, 200, 200, 200, 200, 404]);
  });
});

test('what is no host is none that is allowed; a request without one comes from no browser', () => {
  for (const host of ['a:b:c', '::1', '[::1', ':9090', 'x@127.0.0.1', '127.0.0.1, evil.example', '*', '.']) {
    expect([host, isAllowedHost(host, ['gateway'])]).toEqual([host, false]);
  }
  expect([isAllowedHost(undefined, []), isAllowedHost('', [])]).toEqual([true, true]);
});
