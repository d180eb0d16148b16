/** HTTPS from the process itself: TLS 1.2 or newer, and HSTS on every answer (interface, section 5). */
import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, type SecureVersion } from 'node:tls';
import { expect, test } from 'vitest';
import { basketOf, saleOf } from '../support/baskets.ts';
import { BASKET_PATH } from '../support/caller.ts';
import { temporaryDirectory } from '../support/cleanup.ts';
import { readingOf, scrape } from '../support/metrics.ts';
import { callBytes, RawConnection, requestBytes } from '../support/raw-connection.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/wait.ts';

const directory = temporaryDirectory();
const certFile = join(directory, 'cert.pem');
const keyFile = join(directory, 'key.pem');
const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', keyFile];
execFileSync('openssl', ['req', '-x509', '-days', '1', ...key, ...subject, '-out', certFile], { stdio: 'ignore' });
const ca = readFileSync(certFile, 'utf8');

const stage = useService({ ca, env: { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } });

test('the address it prints is an https one', () => {
  expect(stage.service.baseUrl).toMatch(/^https:\/\//);
});

test('its metrics tell when the certificate ends, and how much room its folder has', async () => {
  const samples = await until('the disk to be measured', async () => {
    const scraped = await scrape(stage.service);
    return readingOf(scraped, 'loyalty_disk_size_bytes', { folder: 'DATA_DIR' }) !== undefined && scraped;
  });
  const ends = new X509Certificate(ca).validToDate.getTime() / 1000;
  expect(readingOf(samples, 'loyalty_tls_certificate_end_timestamp_seconds')).toBe(ends);
  const usedShare = 1 - readDisk(samples, 'free') / readDisk(samples, 'size');
  // Other tests fill the disk meanwhile, and df rounds up.
  const used = execFileSync('df', ['--output=pcent', stage.service.dataDirectory], { encoding: 'utf8' });
  expect(Math.abs(100 * usedShare - Number(/\d+/.exec(used)))).toBeLessThan(2);
});

function readDisk(samples: Parameters<typeof readingOf>[0], count: 'free' | 'size'): number {
  return readingOf(samples, `loyalty_disk_${count}_bytes`, { folder: 'DATA_DIR' }) ?? Number.NaN;
}

test('every answer carries Strict-Transport-Security', async () => {
  const basket = basketOf();
  const answers = [
    await stage.caller.basket(basket),
    await stage.caller.basket(basket),
    await stage.caller.sale(saleOf(basket.calculationId)),
    await stage.caller.send(BASKET_PATH, '{'),
    await stage.caller.send(BASKET_PATH, '{', { headers: { 'POS-Signature': null } }),
    await stage.caller.send(BASKET_PATH, ' '.repeat(262_145)),
    await stage.caller.send(BASKET_PATH, '', { method: 'GET' }),
    await stage.caller.send('/nowhere', ''),
  ];
  expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 400, 401, 413, 405, 404]);
  for (const answer of answers) expect(answer.header('Strict-Transport-Security')).toMatch(/^max-age=[1-9]\d*/);
});

/** The version that was agreed on, or the fault. */
function handshake(version: SecureVersion): Promise<string> {
  const { hostname, port } = new URL(stage.service.baseUrl);
  return new Promise((resolve) => {
    // Level 0 makes our side willing, so that the refusal is the service's own.
    const ciphers = 'DEFAULT@SECLEVEL=0';
    const options = { host: hostname, port: Number(port), ca, minVersion: version, maxVersion: version, ciphers };
    const socket = connect(options, () => {
      resolve(socket.getProtocol() ?? 'none');
      socket.destroy();
    });
    socket.once('error', (fault: NodeJS.ErrnoException) => resolve(`refused ${fault.code}`));
  });
}

test.each(['TLSv1', 'TLSv1.1'] as const)('%s is refused', async (version) => {
  expect(await handshake(version)).toMatch(/^refused .*(VERSION|PROTOCOL|RESET)/i);
});

test.each(['TLSv1.2', 'TLSv1.3'] as const)('%s is spoken', async (version) => {
  expect(await handshake(version)).toBe(version);
});

test('plain HTTP on the port of HTTPS gets no answer to a call', async () => {
  const connection = await RawConnection.open(stage.service.baseUrl.replace('https:', 'http:'));
  connection.write(`POST ${BASKET_PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`);
  expect(await connection.readAnswer(12_000)).toBeUndefined();
  connection.close();
  expect((await stage.caller.basket(basketOf())).status).toBe(200);
});

test('the operations port stays as it is', async () => {
  expect(await stage.service.readiness()).toBe(200);
});

test('a refused framing is answered whole, and nothing behind it in the segment is looked at', async () => {
  const basket = basketOf();
  const refused = requestBytes(`POST ${BASKET_PATH} HTTP/1.1`, ['Host: x', 'Transfer-Encoding: xchunked'], '0\r\n\r\n');
  const connection = await RawConnection.open(stage.service.baseUrl, ca);
  connection.write(Buffer.concat([refused, callBytes(stage.caller.secret, basket)]));
  const answer = await connection.readAnswer();
  expect([answer?.status, answer?.code]).toEqual([400, 'invalid_request']);
  expect(await connection.closes()).toBe(true);
  expect(connection.unread).toHaveLength(0);
  expect(await stage.redis.client.keys(`*${basket.calculationId}*`)).toEqual([]);
});
