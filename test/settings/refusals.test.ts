/** Environment variables that cannot be used, alone or together, are refused with their name; nothing secret is in the message. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, test } from 'vitest';
import { SettingsError } from '../../src/settings/settings-error.ts';
import { readOpsTokens } from '../../src/settings/tokens.ts';
import { readSettings } from '../../src/settings.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { newSecret } from '../support/signer.ts';

afterAll(cleanUp);

const DATA_DIR = temporaryDirectory();
const SHORT = 'ab'.repeat(31);
const notAPem = join(DATA_DIR, 'not.pem');
writeFileSync(notAPem, 'this is no certificate');

type Variables = Readonly<Record<string, string>>;

/** What is said of these variables; undefined when they are taken. */
function refusalOf(env: Variables): string | undefined {
  try {
    readSettings({ DATA_DIR, ...env });
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    expect((error as Error).message).not.toContain('\n');
    for (const secret of [SHORT, 's3cr', 'not hex and', TOKEN]) expect((error as Error).message).not.toContain(secret);
    return (error as Error).message;
  }
}

const TOKEN = 'a-token-of-more-than-thirty-two-characters';
const SENTINELS = 'redis+sentinel://sentinel/?name=loyalty';

const BAD: [variable: string, value: string, more?: Variables][] = [
  ['PORT', '65536'],
  ['PORT', '80.5'],
  ['OPS_PORT', '0x50'],
  ['OPS_ALLOWED_HOSTS', 'gateway:9090'],
  ['OPS_ALLOWED_HOSTS', 'gateway,,metrics.example'],
  ['REDIS_URL', 'not a url'],
  ['REDIS_URL', 'redis://:s3cr-of-redis@:x'],
  ['REDIS_PASSWORD_FILE', '/does/not/exist', { REDIS_URL: 'redis://redis:6379' }],
  ['REDIS_PASSWORD_FILE', notAPem],
  ['REDIS_PASSWORD_FILE', notAPem, { REDIS_URL: 'unix:/run/redis.sock' }],
  ['REDIS_SENTINEL_URL', 'redis://:s3cr@sentinel:26379', { REDIS_URL: 'redis://redis:6379' }],
  ['REDIS_SENTINEL_URL', 'sentinel:s3cr', { REDIS_URL: SENTINELS }],
  ['REDIS_SENTINEL_URL', 'redis://sentinel/?name=s3cr', { REDIS_URL: SENTINELS }],
  ['LOYALTY_CONFIG', '/does/not/exist.yaml'],
  ['LOYALTY_SECRETS', SHORT],
  ['LOYALTY_SECRETS', `${newSecret()},${SHORT}`],
  ['LOYALTY_SECRETS', `${newSecret()},,`],
  ['LOYALTY_SECRETS', 'not hex and not base64!'],
  ['LOYALTY_BEARER_TOKENS', 'short'],
  ['LOYALTY_BEARER_TOKENS', `${newSecret()},`],
  ['OPS_TOKEN', 'maria:fifteen-letter'],
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
  ['DOCS_URL', 'docs/errors.md'],
  ['DOCS_URL', 'ftp://docs.example/errors'],
  ['DOCS_URL', 'https://docs.example/errors#'],
  ['DOCS_URL', `https://docs.example/${'e'.repeat(500)}`],
  ['DOCS_PUBLIC', 'yes'],
  ['MEMBERS_IMPORTED', 'yes'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ['WATCHDOG_USEC', 'soon', { NOTIFY_SOCKET: '/run/notify' }],
  ['LOYALTY_COMMIT', 'the one of "today"'],
];
test.each(BAD)('%s=%s', (variable, value, more = {}) => {
  expect(refusalOf({ PORT: '0', OPS_PORT: '0', ...more, [variable]: value })).toContain(variable);
});

test('without any of them the settings are taken', () => {
  expect(readSettings({ DATA_DIR })).toMatchObject({ port: 8080, opsPort: 9090, inlineBytes: 16_384 });
});

describe('an address of Redis says why it cannot be used', () => {
  const ENCODE = 'in a user or password write % as %25, @ as %40, / as %2F, ? as %3F, # as %23 and a comma as %2C';
  const NO_PARAMETERS =
    'after ? only name=… of redis+sentinel:// is known: a user and password stand before the host, user:password@host';

  it.each<[why: string, env: Variables]>([
    [ENCODE, { REDIS_URL: 'redis://:s3cr/et@redis:6379' }],
    [ENCODE, { REDIS_URL: 'redis://:12?s3cr@redis:6379' }],
    [ENCODE, { REDIS_URL: 'redis://user:s3cr,et@redis:6379' }],
    [ENCODE, { REDIS_URL: 'redis://user:s3cr%et@redis:6379' }],
    [ENCODE, { REDIS_URL: 'redis://user:s@3cr/et@redis:6379' }],
    [ENCODE, { REDIS_URL: 'redis://redis:6379#s3cr' }],
    [ENCODE, { REDIS_URL: 'rediss://:s3cr/et@redis:6379,redis2:6379' }],
    [ENCODE, { REDIS_URL: 'redis+sentinel://:s3cr#et@sentinel/?name=loyalty' }],
    [ENCODE, { REDIS_URL: SENTINELS, REDIS_SENTINEL_URL: 'redis://:s3cr/et@sentinel' }],
    [NO_PARAMETERS, { REDIS_URL: 'redis://redis:6379?password=s3cr' }],
    [NO_PARAMETERS, { REDIS_URL: 'rediss://redis:6379/?ssl=true' }],
    [NO_PARAMETERS, { REDIS_URL: 'redis://redis:6379?name=loyalty' }],
    [NO_PARAMETERS, { REDIS_URL: 'redis://a:1,redis://b:2?password=s3cr' }],
    [NO_PARAMETERS, { REDIS_URL: `${SENTINELS}&password=s3cr` }],
    [NO_PARAMETERS, { REDIS_URL: SENTINELS, REDIS_SENTINEL_URL: 'redis://sentinel?password=s3cr' }],
  ])('%s: %j', (why, env) => {
    const message = refusalOf(env);
    expect(message).toMatch(/^REDIS_(?:SENTINEL_)?URL: the address must be redis/);
    expect(message!.split('; ')).toContain(why);
  });

  it('without advice that does not fit, and takes a password with an @ and the name of a master', () => {
    expect(refusalOf({ REDIS_URL: 'http://redis:6379' })).not.toContain('write');
    const redisOf = (REDIS_URL: string) => readSettings({ DATA_DIR, REDIS_URL }).redis;
    expect(redisOf('redis://:s3@cr@redis:6379')).toMatchObject({
      node: { host: 'redis' },
      access: { password: 's3@cr' },
    });
    expect(redisOf(SENTINELS)).toMatchObject({ name: 'loyalty' });
    expect(redisOf('redis://redis:6379/?')).toMatchObject({ kind: 'single' });
  });
});

describe('the two listeners', () => {
  const both = { PORT: '8080', OPS_PORT: '8080' };

  it.each<[Variables]>([
    [both],
    [{ PORT: '9090' }],
    [{ OPS_PORT: '8080' }],
    [{ ...both, HOST: '0.0.0.0' }],
    [{ ...both, OPS_HOST: '::' }],
    [{ ...both, HOST: 'localhost' }],
    [{ ...both, HOST: 'Shop.example', OPS_HOST: 'shop.example' }],
  ])('cannot share a port: %j', (env) => {
    const port = env['PORT'] ?? '8080';
    expect(refusalOf(env)).toMatch(new RegExp(`^OPS_PORT: ${port} is also PORT on the same host`));
  });

  it('may have one each, one on two hosts, or any', () => {
    expect(refusalOf({ PORT: '0', OPS_PORT: '0' })).toBeUndefined();
    expect(refusalOf({ PORT: '8080', OPS_PORT: '8081' })).toBeUndefined();
    expect(refusalOf({ ...both, HOST: '10.0.0.1', OPS_HOST: '127.0.0.1' })).toBeUndefined();
  });
});

describe('credentials', () => {
  it('of a caller open no administration, and those of two people are two', () => {
    const shared = { LOYALTY_BEARER_TOKENS: `${'x'.repeat(32)},${TOKEN}`, OPS_TOKEN: `maria:${TOKEN}` };
    expect(refusalOf(shared)).toMatch(/^OPS_TOKEN: token 1 is also in LOYALTY_BEARER_TOKENS/);
    expect(refusalOf({ ...shared, OPS_TOKEN: `maria:${TOKEN}!` })).toBeUndefined();
    expect(refusalOf({ OPS_TOKEN: `maria:${TOKEN},ola:${TOKEN}` })).toMatch(/^OPS_TOKEN: token 2 equals token 1/);
    expect(refusalOf({ OPS_TOKEN: `maria:${TOKEN},maria:${TOKEN}2` })).toBeUndefined();
    expect(refusalOf({ OPS_TOKEN: `maria:read:${TOKEN},maria:write:${TOKEN}` })).toMatch(/another name or role/);
  });

  it('have a role, or every right', () => {
    const text = ['desk:read:', 'office:write:', 'ops:admin:', 'maria:', '']
      .map((own, at) => `${own}${TOKEN}${at}`)
      .join();
    expect(readOpsTokens(text).map(({ name, role }) => `${name} ${role}`)).toEqual([
      'desk read',
      'office write',
      'ops admin',
      'maria admin',
      'operator admin',
    ]);
  });

  it.each(['desk:reed:', 'desk:Read:', 'desk::', 'desk:read:more:', ':', 'de sk:'])(
    'never get more than was meant: %s',
    (words) => {
      expect(refusalOf({ OPS_TOKEN: `${words}${TOKEN}` })).toMatch(/^OPS_TOKEN: found token 1 with .*, allowed: /);
    },
  );
});

it('a certificate and its key belong to each other', () => {
  const [first, second] = ['first', 'second'].map((name) => {
    const [certFile, keyFile] = [join(DATA_DIR, `${name}.pem`), join(DATA_DIR, `${name}.key`)];
    const words = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    execFileSync('openssl', [...words, '-subj', '/CN=localhost', '-out', certFile, '-keyout', keyFile], {
      stdio: 'pipe',
    });
    return { certFile, keyFile };
  }) as [{ certFile: string; keyFile: string }, { certFile: string; keyFile: string }];
  expect(refusalOf({ TLS_CERT_FILE: first.certFile, TLS_KEY_FILE: first.keyFile })).toBeUndefined();
  const refusal = refusalOf({ TLS_CERT_FILE: first.certFile, TLS_KEY_FILE: second.keyFile });
  expect(refusal).toMatch(/^TLS_KEY_FILE: .*second\.key.*is not the private key.*TLS_CERT_FILE/);
});
