/**
 * Several gateways have one configuration: whichever of them starts, is replaced or dies while the files change. A file that is still
 * being written is not put in force, and the log says what a reload takes away, and which secret was encoded twice.
 */
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findChanges } from '../../src/programme/changes.ts';
import { ask, OPS_TOKEN } from '../ops/admin-client.ts';
import { BERGEN, basketOf } from '../support/baskets.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import {
  type Benefit,
  type Configuration,
  configurationOf,
  memberOf,
  type Programme,
  TWENTY,
} from '../support/configuration.ts';
import { isListening } from '../support/processes.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Service } from '../support/service.ts';
import { newSecret } from '../support/signer.ts';
import { sleep, until } from '../support/wait.ts';
import type { AppliedBody } from '../support/wire.ts';

const secretsFile = join(temporaryDirectory(), 'secrets');
/** A secret that was encoded once too often: its key is another one than the caller's. */
const twice = Buffer.from(`${newSecret()}\n`).toString('base64');
let redis: RedisServer;
let service: Service;
beforeAll(async () => {
  redis = await RedisServer.launch();
  writeFileSync(secretsFile, twice);
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
const file = () => join(service.dataDirectory, 'environment.yaml');
const write = (percent: number, environment?: string) =>
  writeFileSync(file(), JSON.stringify(configurationWith(percent, environment)));
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
  const reloads = lines(0, 'reloaded').length;
  write(21);
  await until('the files to be in force', async () => (await readyz()).facts['configuration'] === undefined);
  await until('its line in the log', () => lines(0, 'reloaded').length > reloads);
  expect([await answers(), await keys()]).toEqual([[2_100], []]);
});

test('a secret that was encoded once too often is told at the start and after a reload, once each', async () => {
  const warnings = () => service.log.filter(({ msg }) => msg === 'secret').map(({ reason }) => reason);
  const told = (which: string) =>
    `${which} decodes to the text of a secret in hex or base64: it may have been encoded once too often`;
  expect(warnings()[0]).toBe(told('secret 2 of 2'));
  const { length } = warnings();
  const reloads = lines(0, 'reloaded').length;
  writeFileSync(secretsFile, `${newSecret()}\n${twice}\n`);
  await until('the reload', () => lines(0, 'reloaded').length > reloads);
  expect(warnings().slice(length)).toEqual([told('secret 3 of 3')]);
  writeFileSync(secretsFile, `${newSecret()}\n`);
  await until('the reload without it', () => lines(0, 'reloaded').length > reloads + 1);
  expect(warnings()).toHaveLength(length + 1);
});

/**
 * Begins to replace the processes. Resolves with the first new one, which stands still: it has its configuration, and its threads load
 * their code. On a busy machine it may take connections before it is stopped, which nobody would then answer: then all begins anew.
 */
function replaceHalfway(): Promise<number> {
  return until(
    'a new process that stands still before it listens',
    async () => {
      const before = service.gateways;
      const [readyBefore, replacedBefore] = [lines(1, 'redis ready').length, lines(0, 'processes replaced').length];
      await service.kill('SIGUSR2');
      await until('the new process to have its Redis', () => lines(1, 'redis ready').length > readyBefore);
      const newcomer = service.gateways.find((pid) => !before.includes(pid)) as number;
      process.kill(newcomer, 'SIGSTOP');
      if (!isListening(newcomer)) return newcomer;
      process.kill(newcomer, 'SIGCONT');
      await until('the replacement', () => lines(0, 'processes replaced').length > replacedBefore, 90_000);
      return undefined;
    },
    90_000,
  );
}

test('a gateway that starts in the place of another one takes part in a reload, also of secrets, and all are replaced once more where that was asked for meanwhile', async () => {
  const newcomer = await replaceHalfway();
  const replacedBefore = lines(0, 'processes replaced').length;
  // Those that are new may run older code.
  await service.kill('SIGUSR2');
  const secret = newSecret();
  write(22);
  appendFileSync(secretsFile, `${secret}\n`);
  const reloaded = reload();
  await until('the reload of the others', async () => (await answers()).includes(2_200));
  process.kill(newcomer, 'SIGCONT');
  expect((await reloaded).status).toBe(200);
  await until('both replacements', () => lines(0, 'processes replaced').length === replacedBefore + 2, 90_000);
  expect(await answers()).toEqual([2_200]);
  expect(await answers(secret)).toEqual([2_200]);
});

/** Parts come less than a second apart, also on a machine that stands still for half of one. */
const PART_MS = 300;
const BENEFITS: Benefit[] = Array.from({ length: 10 }, (_, index) => ({ ...TWENTY, benefitId: `benefit-${index}` }));
const many = configurationOf({ programme: { benefits: BENEFITS }, members: [] });
const reloads = () => service.log.filter(({ msg }) => /^reload/.test(String(msg)));

/** The environment as lines of YAML, of which the benefits are the last: every text that ends behind one of them is valid. */
function linesOf({ programmes, ...rest }: Configuration): [head: string, benefits: string[]] {
  const [{ benefits, ...programme }, ...others] = programmes as [Programme, ...Programme[]];
  const first = Object.entries(rest).map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`);
  const items = others.map((other) => `  - ${JSON.stringify(other)}\n`);
  const own = Object.entries(programme).map(([name, value]) => `    ${name}: ${JSON.stringify(value)}\n`);
  own[0] = `  -${(own[0] as string).slice(3)}`;
  return [
    [...first, 'programmes:\n', ...items, ...own, '    benefits:\n'].join(''),
    benefits.map((benefit) => `      - ${JSON.stringify(benefit)}\n`),
  ];
}

/** The service takes a file for finished that has not changed for a second (`primary/reload.ts`). */
const SETTLED_MS = 1000;

/** Lets the file grow to all of its benefits, and tells the longest pause between two of its parts. */
async function grow(): Promise<number> {
  const [head, benefits] = linesOf(many);
  let longestMs = 0;
  writeFileSync(file(), head + benefits[0]);
  for (const benefit of benefits.slice(1)) {
    const writtenMs = performance.now();
    await sleep(PART_MS);
    appendFileSync(file(), benefit);
    longestMs = Math.max(longestMs, performance.now() - writtenMs);
  }
  return longestMs;
}

test('a file that grows for seconds is read once, and whole', async () => {
  // Where this process has stood still between two parts nothing was shown, and the file grows anew.
  const length = await until('a file that grows without a standstill', async () => {
    const { length } = reloads();
    if ((await grow()) < SETTLED_MS - PART_MS / 3) return length;
    await until('the whole file to be in force', async () => (await readyz()).facts['configuration'] === undefined);
    write(22);
    expect((await reload()).status).toBe(200);
    return undefined;
  });
  await until('the reload', () => reloads().length > length);
  const [reloaded, ...more] = reloads().slice(length);
  expect([reloaded, more]).toMatchObject([{ msg: 'reloaded', cause: 'file change' }, []]);
  // Only what the file before had is gone.
  expect(reloaded).toMatchObject({ removedBenefits: ['coffee-club twenty'] });
  expect(reloaded).not.toHaveProperty('removedVenues');
});

test('a reload names the benefits and venues that it takes away', async () => {
  const { length } = reloads();
  const venues = many.venues.filter(({ venueId }) => venueId !== BERGEN.venueId);
  const less = { ...configurationOf({ programme: { benefits: BENEFITS.slice(0, 8) }, members: [] }), venues };
  writeFileSync(file(), JSON.stringify(less));
  await service.kill('SIGHUP');
  await until('the reload', () => reloads().length > length);
  expect(reloads().at(-1)).toMatchObject({
    msg: 'reloaded',
    removedBenefits: ['coffee-club benefit-8', 'coffee-club benefit-9'],
    removedVenues: [BERGEN.venueId],
  });
});

test('a benefit that is changed and a venue with several entries are not taken away', () => {
  const fileOf = (benefits: object[], venues: string[]) =>
    ({
      programmes: [{ programmeId: 'club', benefits }],
      venues: venues.map((venueId) => ({ venueId })),
    }) as unknown as Parameters<typeof findChanges>[0];
  const [one, two] = [{ benefitId: 'one', percent: 10 }, { benefitId: 'two' }];
  expect(findChanges(fileOf([one], ['a', 'a', 'b']), fileOf([{ ...one, percent: 20 }, two], ['b', 'a']))).toEqual({});
  expect(findChanges(fileOf([one, two], ['a', 'a', 'b']), fileOf([two], ['b']))).toEqual({
    removedBenefits: ['club one'],
    removedVenues: ['a'],
  });
});
