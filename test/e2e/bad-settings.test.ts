/**
 * A setting that cannot be used stops the start with one line that names it; nothing secret is in that line. One setting for
 * each step of the start that refuses; test/settings and test/programme go through all of them without a start.
 */
import { createServer } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { cleanUp, isAlive, managedRedisPid, temporaryDirectory } from '../support/cleanup.ts';
import { configurationOf, type Venue } from '../support/configuration.ts';
import { Service, type ServiceOptions } from '../support/service.ts';
import { newSecret } from '../support/signer.ts';
import { until, within } from '../support/wait.ts';

afterAll(cleanUp);

const SHORT = 'ab'.repeat(31);

/** Starts, expects the end, and answers the one line that it wrote. */
async function refusalOf(options: ServiceOptions): Promise<string> {
  const dataDirectory = temporaryDirectory();
  const service = Service.spawn({ dataDirectory, ...options });
  const exit = await within(service.exited, 90_000);
  if (!exit) {
    await service.stop();
    throw new Error(`the service did not refuse to start\n${service.output.join('\n')}`);
  }
  expect(exit.code).not.toBe(0);
  expect(exit.signal).toBeNull();
  // What went well before the fault may have been logged, and that Redis was silent for a moment; the fault itself is one line.
  const isOther = (line: string) => line.includes('"level":"info"') || line.includes('"msg":"redis down"');
  const lines = service.output.filter((line) => line.trim() !== '' && !isOther(line));
  expect(lines, lines.join('\n')).toHaveLength(1);
  const pid = managedRedisPid(dataDirectory);
  if (pid !== undefined) await until('the end of the Redis it had started', () => !isAlive(pid));
  return lines[0] ?? '';
}

test('a secret that is too short', async () => {
  const line = await refusalOf({ env: { LOYALTY_SECRETS: `${newSecret()},${SHORT}` } });
  expect(line).toContain('LOYALTY_SECRETS');
  expect(line).not.toContain(SHORT);
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

test('a configuration with a fault', async () => {
  const [venue, ...venues] = configurationOf().venues;
  const line = await refusalOf({
    configuration: configurationOf({ venues: [{ ...(venue as Venue), programmeId: 'no-such-club' }, ...venues] }),
  });
  expect(line).toContain('venues[0].programmeId');
});
