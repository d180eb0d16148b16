/** A setting that cannot be used stops the start with one line that names it; nothing secret is in that line. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { cleanUp, isAlive, managedRedisPid, temporaryDirectory } from '../support/cleanup.ts';
import { type Configuration, configurationOf } from '../support/configuration.ts';
import { Service, type ServiceOptions } from '../support/service.ts';
import { newSecret } from '../support/signer.ts';
import { until, within } from '../support/wait.ts';

afterAll(cleanUp);

const SHORT = 'ab'.repeat(31);

/** Starts, expects the end, and answers the one line that it wrote. */
async function refusalOf(options: ServiceOptions): Promise<string> {
  const dataDirectory = temporaryDirectory();
  const service = Service.spawn({ dataDirectory, ...options });
  const exit = await within(service.exited, 20_000);
  if (!exit) {
    await service.stop();
    throw new Error(`the service did not refuse to start\n${service.output.join('\n')}`);
  }
  expect(exit.code).not.toBe(0);
  expect(exit.signal).toBeNull();
  // What went well before the fault may have been logged; the fault itself is one line.
  const lines = service.output.filter((line) => line.trim() !== '' && !line.includes('"level":"info"'));
  expect(lines).toHaveLength(1);
  const pid = managedRedisPid(dataDirectory);
  if (pid !== undefined) await until('the end of the Redis it had started', () => !isAlive(pid), 3_000);
  return lines[0] ?? '';
}

describe('environment variables', () => {
  const directory = temporaryDirectory();
  const notAPem = join(directory, 'not.pem');
  writeFileSync(notAPem, 'this is no certificate');

  const bad: [variable: string, value: string, more?: Record<string, string>][] = [
    ['HOST', 'not a host'],
    ['PORT', '65536'],
    ['PORT', '80.5'],
    ['OPS_HOST', 'not a host'],
    ['OPS_PORT', '70000'],
    ['OPS_PORT', '0x50'],
    ['OPS_PORT', '8080', { PORT: '8080' }],
    ['OPS_ALLOWED_HOSTS', 'gateway:9090'],
    ['OPS_ALLOWED_HOSTS', 'gateway,,metrics.example'],
    ['REDIS_URL', 'not a url'],
    ['REDIS_URL', 'http://127.0.0.1:6379'],
    ['REDIS_URL', 'redis://:p4ssw0rd-of-redis@:x'],
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
  ];
  test.each(bad)('%s=%s', async (variable, value, more = {}) => {
    const line = await refusalOf({ env: { ...more, [variable]: value } });
    expect(line).toContain(variable);
    for (const secret of [SHORT, 'p4ssw0rd', 'not hex and']) expect(line).not.toContain(secret);
  });

  test('production without secrets', async () => {
    const line = await refusalOf({
      configuration: configurationOf({ environment: 'production' }),
      env: { LOYALTY_SECRETS: '' },
    });
    expect(line).toContain('LOYALTY_SECRETS');
  });

  test('a port that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    try {
      expect(await refusalOf({ env: { PORT: String(port) } })).toContain(String(port));
      expect(await refusalOf({ env: { OPS_PORT: String(port) } })).toContain(String(port));
    } finally {
      other.close();
    }
  });
});

describe('the configuration', () => {
  type Draft = Configuration & Record<string, never>;
  /** The path in the file, and how it is spoilt. */
  const bad: [path: (string | number)[], value: unknown][] = [
    [['environment'], 'test'],
    [['rateLimit', 'sustained'], 0],
    [['rateLimit', 'burst'], 'many'],
    [['calculation', 'holdMinutes'], 0],
    [['calculation', 'retentionDays'], 0.01],
    [['calculation', 'idempotencyHours'], 24 * 7 + 1],
    [['latencyBudget', 'deadline'], 60_000],
    [['venues'], {}],
    [['venues', 0, 'venueId'], undefined],
    [['venues', 1, 'venueId'], 'oslo-central'],
    [['venues', 0, 'terminalSetups', 0], 500_123],
    [['venues', 0, 'currencies', 0], 'kr'],
    [['venues', 0, 'timeZone'], 'Europe/Atlantis'],
    [['venues', 0, 'programmeId'], 'no-such-club'],
    [['venues', 0, 'products', 0, 'unitPrice'], 39.5],
    [['programmes', 0, 'existingLineDiscounts'], 'sometimes'],
    [['programmes', 0, 'benefits', 1, 'benefitId'], 'twenty'],
    [['programmes', 0, 'benefits', 0, 'kind'], 'line_percentage'],
    [['programmes', 0, 'benefits', 0, 'percent'], 5.005],
    [['programmes', 0, 'benefits', 0, 'precent'], 20],
    [['programmes', 0, 'benefits', 1, 'limit', 'period'], 'hour'],
    [['members', 0, 'status'], 'asleep'],
    [['members', 0, 'loyaltyId'], 'x'.repeat(65)],
    [['members', 0, 'grants', 0], 'no-such-benefit'],
    [['members', 1, 'loyaltyId'], 'member-twenty'],
    [['venuse'], []],
  ];
  test.each(bad)('%j = %j', async (path, value) => {
    const configuration = configurationOf() as Draft;
    const parent = path
      .slice(0, -1)
      .reduce<Record<string, unknown>>((node, name) => node[name] as never, configuration);
    parent[path.at(-1) ?? ''] = value;
    const line = await refusalOf({ configuration });
    // venues[0].venueId, venues.0.venueId and /venues/0/venueId all name the path; an unknown name may stand behind it.
    const [name, ...parents] = path.map(String).reverse();
    expect(line).toMatch(new RegExp(`${parents.reverse().join('\\W{1,2}')}.*\\b${name}\\b`));
  });

  test('a file that is no YAML', async () => {
    const file = join(temporaryDirectory(), 'broken.yaml');
    writeFileSync(file, 'venues: [\n  {a: "b}\n');
    expect(await refusalOf({ env: { LOYALTY_CONFIG: file } })).toContain(file);
  });
});
