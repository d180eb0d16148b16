/** The nginx and HAProxy settings of deploy/proxies.md, as they stand there, in front of a real service. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../architecture/source.ts';
import { basketOf, saleOf } from '../support/baskets.ts';
import { BASKET_PATH, bytesOf, Caller } from '../support/caller.ts';
import { forgetProcess, temporaryDirectory, watchProcess } from '../support/cleanup.ts';
import { freePorts } from '../support/free-ports.ts';
import { RawConnection, requestBytes } from '../support/raw-connection.ts';
import { useSharedService } from '../support/shared-service.ts';
import { signatureOf } from '../support/signer.ts';
import { until } from '../support/wait.ts';

const page = readFileSync(join(ROOT, 'deploy/proxies.md'), 'utf8');
const LIMIT = 262_144;

/** A folder with a certificate under the names that the page gives it. */
function makeFolder(): { directory: string; ca: string } {
  const directory = temporaryDirectory();
  const [certificate, key] = [join(directory, 'loyalty.pem'), join(directory, 'loyalty.key')];
  const options = ['-x509', '-days', '1', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', ['req', ...options, ...subject, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
  const ca = readFileSync(certificate, 'utf8');
  writeFileSync(join(directory, 'loyalty-with-key.pem'), ca + readFileSync(key, 'utf8'));
  return { directory, ca };
}

interface Proxy {
  readonly program: string | undefined;
  /** The page's settings with what a server of a test's own needs around them. */
  readonly around: (settings: string, directory: string) => string;
  readonly start: (configuration: string) => readonly string[];
}

const NGINX_BODIES = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
const PROXIES: Readonly<Record<string, Proxy>> = {
  nginx: {
    program: find('nginx'),
    around: (settings, directory) =>
      `daemon off; pid ${directory}/nginx.pid; error_log ${directory}/nginx.log; events {} http { access_log off;
       ${NGINX_BODIES.map((kind) => `${kind}_temp_path ${directory}/${kind};`).join(' ')} ${settings} }`,
    start: (configuration) => ['-e', '/dev/null', '-c', configuration],
  },
  haproxy: {
    program: find('haproxy'),
    around: (settings) => settings,
    start: (configuration) => ['-db', '-f', configuration],
  },
};

function find(program: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin'];
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}

describe.each(Object.entries(PROXIES))('%s', (name, { program, around, start }) => {
  describe.skipIf(program === undefined)('as the page says', () => {
    const stage = useSharedService();
    let caller: Caller;
    let baseUrl: string;
    let ca: string;
    let end: () => Promise<void>;

    beforeAll(async () => {
      const [port] = (await freePorts(1)) as [number];
      const folder = makeFolder();
      ca = folder.ca;
      const { service } = stage;
      const settings = new RegExp(`\`\`\`${name}\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? '';
      const here = settings
        .replaceAll('127.0.0.1:8080', new URL(service.baseUrl).host)
        .replaceAll('port 9090', `port ${new URL(service.opsUrl).port}`)
        .replaceAll('/etc/ssl', folder.directory)
        .replace('listen 443', `listen 127.0.0.1:${port}`)
        .replace('bind :443', `bind 127.0.0.1:${port}`);
      const configuration = join(folder.directory, `${name}.conf`);
      writeFileSync(configuration, around(here, folder.directory));
      const child = spawn(program as string, start(configuration), { stdio: 'ignore' });
      watchProcess(child.pid ?? 0);
      const ended = once(child, 'exit').then(() => forgetProcess(child.pid ?? 0));
      end = async () => {
        child.kill('SIGTERM');
        await ended;
      };
      baseUrl = `https://127.0.0.1:${port}`;
      caller = new Caller(baseUrl, { secret: service.secrets[0] ?? '', ca });
      await until(`${name} to pass calls on`, async () => {
        const answer = await caller.basket(basketOf()).catch(() => undefined);
        return answer?.status === 200;
      });
    });
    afterAll(async () => {
      caller?.close();
      await end?.();
    });

    test('baskets, their replays and sale events pass, with their request ID, HSTS and no mark of ours', async () => {
      for (let count = 0; count < 20; count += 1) {
        const basket = basketOf();
        const answers = [await caller.basket(basket), await caller.basket(basket)];
        answers.push(await caller.sale(saleOf(basket.calculationId)));
        expect(answers.map(({ status, isReplayed }) => [status, isReplayed])).toEqual([
          [200, false],
          [200, true],
          [200, false],
        ]);
        for (const answer of answers) {
          expect(answer.header('Strict-Transport-Security')).toMatch(/^max-age=31536000/);
          expect(answer.header('uWebSockets')).toBeUndefined();
        }
      }
    });

    test('a refusal passes as it is', async () => {
      const answer = await caller.basket(basketOf(), { secret: 'ab'.repeat(32) });
      expect([answer.status, answer.code]).toEqual([401, 'invalid_signature']);
    });

    test('a body of 262,144 bytes passes, in one piece and in chunks', async () => {
      const text = JSON.stringify(basketOf());
      const body = text + ' '.repeat(LIMIT - text.length);
      expect((await caller.send(BASKET_PATH, body)).status).toBe(200);
      const again = JSON.stringify(basketOf());
      const chunkBytes = 16_000;
      expect((await caller.send(BASKET_PATH, again + ' '.repeat(LIMIT - again.length), { chunkBytes })).status).toBe(
        200,
      );
    });

    test('one byte more is 413', async () => {
      const { secret } = stage.caller;
      const connection = await RawConnection.open(baseUrl, ca);
      const headers = [
        'Host: x',
        `POS-Signature: ${signatureOf(secret, Buffer.alloc(0))}`,
        `Content-Length: ${LIMIT + 1}`,
      ];
      connection.write(requestBytes(`POST ${BASKET_PATH} HTTP/1.1`, headers));
      expect((await connection.readAnswer())?.status).toBe(413);
      connection.close();
    });

    test('a refused framing and a good basket behind it never get two answers of which one is 200', async () => {
      const basket = basketOf();
      const body = bytesOf(basket);
      const line = `POST ${BASKET_PATH} HTTP/1.1`;
      const signed = [
        'Host: x',
        'Content-Type: application/json',
        `Idempotency-Key: ${basket.calculationId}`,
        `POS-Signature: ${signatureOf(stage.caller.secret, body)}`,
        `Content-Length: ${body.length}`,
      ];
      const refused = requestBytes(line, ['Host: x', 'Transfer-Encoding: xchunked'], '0\r\n\r\n');
      const connection = await RawConnection.open(baseUrl, ca);
      connection.write(Buffer.concat([refused, requestBytes(line, signed, body)]));
      const [first, ...more] = await connection.readAnswers();
      expect(first?.status ?? 400).toBeGreaterThanOrEqual(400);
      expect(more).toEqual([]);
      connection.close();
    });
  });
});

test('each of the two has its settings on the page', () => {
  for (const name of Object.keys(PROXIES)) expect(page).toContain(`\`\`\`${name}\n`);
});
