/** Several gateways have one configuration: whichever of them starts, is replaced or dies while the files change. */
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, OPS_TOKEN } from '../ops/admin-client.ts';
import { basketOf } from '../support/baskets.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { configurationOf, memberOf, TWENTY } from '../support/configuration.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Service } from '../support/service.ts';
import { newSecret } from '../support/signer.ts';
import { until } from '../support/wait.ts';
import type { AppliedBody } from '../support/wire.ts';

const secretsFile = join(temporaryDirectory(), 'secrets');
let redis: RedisServer;
let service: Service;
beforeAll(async () => {
  redis = await RedisServer.launch();
  writeFileSync(secretsFile, `${newSecret()}\n`);
  const env = { OPS_TOKEN, PROCESSES: '2', WORKERS: '1', LOYALTY_SECRETS_FILE: secretsFile };
  service = await Service.start({ configuration: configurationWith(20), redisUrl: redis.url, env });
});
afterAll(async () => {
  if (service?.isAlive) await service.stop();
  await redis?.stop();
  cleanUp();
});

const configurationWith = (percent: number, environment = 'staging') =>
  configurationOf({
    environment,
    programme: { benefits: [{ ...TWENTY, percent }] },
    members: [memberOf('member-twenty', ['twenty'])],
  });
const write = (percent: number, environment?: string) =>
  writeFileSync(
    join(service.dataDirectory, 'environment.yaml'),
    JSON.stringify(configurationWith(percent, environment)),
  );
const reload = () => ask(service.opsUrl, 'POST /admin/configuration/reload');
const readyz = async () =>
  (await (await fetch(`${service.opsUrl}/readyz`)).json()) as { facts: Record<string, string> };

/** What callers are answered, each with a connection of its own: the kernel spreads them over the processes. */
async function answers(secret = service.secrets[0] as string): Promise<unknown[]> {
  const bodies = await Promise.all(
    Array.from({ length: 16 }, async () => {
      const answer = await service.newCaller({ isPatient: true, secret }).basket(basketOf());
      return answer.status === 200 ? answer.json<AppliedBody>().totals?.loyaltyDiscountTotal : answer.code;
    }),
  );
  return [...new Set(bodies)];
}

/** The lines of the log with this message, of the process with this number; 0 is the primary. */
const lines = (number: number, message: string) =>
  service.log.filter(({ msg, process: from }) => msg === message && from === number);

test('a gateway that dies while the files name another environment comes back with the configuration in force', async () => {
  const keys = () => redis.client.keys('loyalty:staging-two:*');
  write(20, 'staging-two');
  const refused = await reload();
  expect([refused.status, refused.body.error.message]).toEqual([422, expect.stringContaining('stays staging')]);
  const [victim] = service.gateways;
  process.kill(victim as number, 'SIGKILL');
  await until('its end', async () => (await readyz()).facts['processes']?.includes('1 of 2 processes serve'));
  await until('both to serve', async () => (await readyz()).facts['processes'] === undefined);
  expect(service.gateways).not.toContain(victim);
  expect([await answers(), await keys()]).toEqual([[2_000], []]);
  expect((await readyz()).facts['configuration']).toContain('the environment stays staging');
  write(21);
  await until('the files to be in force', async () => (await readyz()).facts['configuration'] === undefined);
  expect([await answers(), await keys()]).toEqual([[2_100], []]);
});

/** Begins to replace the processes. Resolves with the first new one, which stands still: it has its configuration, and its threads load their code. */
async function replaceHalfway(): Promise<number> {
  const before = service.gateways;
  const readyBefore = lines(1, 'redis ready').length;
  await service.kill('SIGUSR2');
  await until('the new process to have its Redis', () => lines(1, 'redis ready').length > readyBefore);
  const newcomer = service.gateways.find((pid) => !before.includes(pid)) as number;
  process.kill(newcomer, 'SIGSTOP');
  return newcomer;
}

test('a gateway that starts in the place of another one takes part in a reload, also of secrets', async () => {
  const newcomer = await replaceHalfway();
  const secret = newSecret();
  write(22);
  appendFileSync(secretsFile, `${secret}\n`);
  const reloaded = reload();
  await until('the reload of the others', async () => (await answers()).includes(2_200));
  process.kill(newcomer, 'SIGCONT');
  expect((await reloaded).status).toBe(200);
  await until('the replacement', () => lines(0, 'processes replaced').length === 1);
  expect(await answers()).toEqual([2_200]);
  expect(await answers(secret)).toEqual([2_200]);
});

test('asked to replace them while it does, it does it once more: those that are new may run older code', async () => {
  const newcomer = await replaceHalfway();
  await service.kill('SIGUSR2');
  process.kill(newcomer, 'SIGCONT');
  await until('both replacements', () => lines(0, 'processes replaced').length === 3, 90_000);
  expect(await answers()).toEqual([2_200]);
});
