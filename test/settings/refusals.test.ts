/** An environment variable that cannot be used is refused with its name; nothing secret is in the message. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { SettingsError } from '../../src/settings/settings-error.ts';
import { readSettings } from '../../src/settings.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { newSecret } from '../support/signer.ts';

afterAll(cleanUp);

const DIRECTORY = temporaryDirectory();
const SHORT = 'ab'.repeat(31);
const notAPem = join(DIRECTORY, 'not.pem');
writeFileSync(notAPem, 'this is no certificate');

const BAD: [variable: string, value: string, more?: Record<string, string>][] = [
  ['PORT', '65536'],
  ['PORT', '80.5'],
  ['OPS_PORT', '70000'],
  ['OPS_PORT', '0x50'],
  ['OPS_PORT', '8080', { PORT: '8080' }],
  ['OPS_ALLOWED_HOSTS', 'gateway:9090'],
  ['OPS_ALLOWED_HOSTS', 'gateway,,metrics.example'],
  ['REDIS_URL', 'not a url'],
  ['REDIS_URL', 'http://127.0.0.1:6379'],
  ['REDIS_URL', 'redis://:p4ssw0rd-of-redis@:x'],
  ['REDIS_PASSWORD_FILE', '/does/not/exist', { REDIS_URL: 'redis://redis:6379' }],
  ['REDIS_PASSWORD_FILE', notAPem],
  ['REDIS_PASSWORD_FILE', notAPem, { REDIS_URL: 'unix:/run/redis.sock' }],
  ['REDIS_SENTINEL_URL', 'redis://:p4ssw0rd@sentinel:26379', { REDIS_URL: 'redis://redis:6379' }],
  ['REDIS_SENTINEL_URL', 'sentinel:p4ssw0rd', { REDIS_URL: 'redis+sentinel://sentinel/?name=loyalty' }],
  ['REDIS_SENTINEL_URL', 'redis://sentinel/?name=p4ssw0rd', { REDIS_URL: 'redis+sentinel://sentinel/?name=loyalty' }],
  ['LOYALTY_CONFIG', '/does/not/exist.yaml'],
  ['LOYALTY_SECRETS', SHORT],
  ['LOYALTY_SECRETS', `${newSecret()},${SHORT}`],
  ['LOYALTY_SECRETS', `${newSecret()},,`],
  ['LOYALTY_SECRETS', 'not hex and not base64!'],
  ['LOYALTY_BEARER_TOKENS', 'short'],
  ['LOYALTY_BEARER_TOKENS', `${newSecret()},`],
  ['OPS_TOKEN', 'maria:fifteen-letters'.slice(0, -1)],
  ['OPS_TOKEN', `maria:${newSecret()},`],
  ['OPS_TOKEN', `maria smith:${newSecret()}`],
  ['TLS_CERT_FILE', '/does/not/exist.pem', { TLS_KEY_FILE: notAPem }],
  ['TLS_KEY_FILE', '/does/not/exist.pem', { TLS_CERT_FILE: notAPem }],
  ['TLS_CERT_FILE', notAPem, { TLS_KEY_FILE: notAPem }],
  ['TLS_KEY_FILE', '', { TLS_CERT_FILE: notAPem }],
  ['TLS_CERT_FILE', '', { TLS_KEY_FILE: notAPem }],
  ['WORKERS', '0'],
  ['WORKERS', 'many'],
  ['LOG_LEVEL', 'loud'],
  ['LOG_DIR', join(notAPem, 'logs')],
  ['DATA_DIR', join(notAPem, 'data')],
  ['RECORD_FILE', join(notAPem, 'baskets.ndjson')],
  ['RECORD_SAMPLE', '1.5'],
  ['RECORD_SAMPLE', 'all'],
  ['DOCS_URL', 'docs/errors.md'],
  ['DOCS_URL', 'ftp://docs.example/errors'],
  ['DOCS_URL', 'https://docs.example/errors#rate_limited'],
  ['DOCS_URL', 'https://docs.example/errors#'],
  ['DOCS_URL', `https://docs.example/${'e'.repeat(500)}`],
  ['DOCS_PUBLIC', 'yes'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ['WATCHDOG_USEC', 'soon', { NOTIFY_SOCKET: '/run/notify' }],
  ['LOYALTY_COMMIT', 'the one of "today"'],
];
test.each(BAD)('%s=%s', (variable, value, more = {}) => {
  let message = '';
  try {
    readSettings({ DATA_DIR: DIRECTORY, PORT: '0', OPS_PORT: '0', ...more, [variable]: value });
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    message = (error as Error).message;
  }
  expect(message).toContain(variable);
  expect(message).not.toContain('\n');
  for (const secret of [SHORT, 'p4ssw0rd', 'not hex and']) expect(message).not.toContain(secret);
});

test('without any of them the settings are taken', () => {
  expect(readSettings({ DATA_DIR: DIRECTORY })).toMatchObject({ port: 8080, opsPort: 9090, inlineBytes: 16_384 });
});
