/** Configuration and secrets change with their files: whatever way they are replaced, and a bad one changes nothing. */
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { basketOf } from '../support/baskets.ts';
import { patiently } from '../support/caller.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { configurationOf, TWENTY } from '../support/configuration.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Service } from '../support/service.ts';
import { newSecret } from '../support/signer.ts';
import { sleep, until } from '../support/wait.ts';
import type { AppliedBody } from '../support/wire.ts';
import { ask, OPS_TOKEN } from './admin-client.ts';

/** Longer than a look at the files and its settling, three times over. */
const SEVERAL_LOOKS_MS = 4_000;

let redis: RedisServer;
let service: Service;
beforeAll(async () => {
  redis = await RedisServer.launch();
});
afterEach(async () => {
  if (service.isAlive) await service.stop();
});
afterAll(async () => {
  await redis.stop();
  cleanUp();
});

/** The configuration with another percentage, as text. */
function textOf(percent: number): string {
  return JSON.stringify(configurationOf({ programme: { benefits: [{ ...TWENTY, percent }] }, members: MEMBERS }));
}

const MEMBERS = [
  { programmeId: 'coffee-club', loyaltyId: 'member-twenty', status: 'active', grants: ['twenty'] } as const,
].map((member) => ({ ...member, grants: [...member.grants] }));

/** What the member saves on 100.00, in per cent. */
async function savedPercent(): Promise<number | undefined> {
  const answer = await service.newCaller().basket(basketOf());
  const { totals } = answer.json<AppliedBody>();
  return totals && totals.loyaltyDiscountTotal / 100;
}

const reloads = (outcome: string) => service.log.filter(({ msg }) => String(msg).startsWith(outcome));

test('a file written in place, one renamed over it, and a bad one between them', async () => {
  service = await Service.start({ redisUrl: redis.url, env: { OPS_TOKEN } });
  const file = join(service.dataDirectory, 'environment.yaml');
  writeFileSync(file, textOf(30));
  await until('the file written in place', async () => (await savedPercent()) === 30);

  // Half of a file, kept for so long that it is looked at: refused in one line, however often it is looked at.
  writeFileSync(file, textOf(40).slice(0, 200));
  await until('the refusal', () => reloads('reload refused').length === 1);
  await sleep(SEVERAL_LOOKS_MS);
  expect(reloads('reload refused')).toMatchObject([{ level: 'error', cause: 'file change' }]);
  expect(await savedPercent()).toBe(30);
  const refused = await ask(service.opsUrl, 'POST /admin/configuration/reload');
  expect([refused.status, refused.body.error.message]).toEqual([
    422,
    expect.stringContaining('The old configuration stays: '),
  ]);

  writeFileSync(`${file}.new`, textOf(50));
  renameSync(`${file}.new`, file);
  await until('the file renamed over it', async () => (await savedPercent()) === 50);
  await until('both reloads in the log', () => reloads('reloaded').length === 2);
  const { body } = await ask(service.opsUrl, 'GET /admin/configuration');
  const metrics = await (await fetch(`${service.opsUrl}/metrics`)).text();
  expect(metrics).toContain(`configuration="${body.version}"`);
  expect(reloads('reloaded').at(-1)?.configuration).toBe(body.version);
});

test('a mounted folder whose symbolic link moves to a new version', async () => {
  const folder = temporaryDirectory();
  const mount = (version: string, percent: number) => {
    mkdirSync(join(folder, version));
    writeFileSync(join(folder, version, 'environment.yaml'), textOf(percent));
    symlinkSync(version, join(folder, '..data_new'));
    renameSync(join(folder, '..data_new'), join(folder, '..data'));
  };
  mount('..version_1', 20);
  const file = join(folder, 'environment.yaml');
  symlinkSync(join('..data', 'environment.yaml'), file);
  service = await Service.start({ redisUrl: redis.url, env: { LOYALTY_CONFIG: file } });
  expect(await savedPercent()).toBe(20);
  mount('..version_2', 60);
  rmSync(join(folder, '..version_1'), { recursive: true });
  await until('the new version', async () => (await savedPercent()) === 60);
  expect(reloads('reload refused')).toEqual([]);
});

test('a folder of files: one of them changed, one added, a bad one, and hidden copies of an editor', async () => {
  const folder = temporaryDirectory();
  mkdirSync(join(folder, 'programmes'));
  const { programmes, members, ...rest } = JSON.parse(textOf(20)) as Record<string, unknown>;
  writeFileSync(join(folder, 'environment.yaml'), JSON.stringify(rest));
  writeFileSync(join(folder, 'members.yaml'), JSON.stringify({ members }));
  const file = join(folder, 'programmes', 'coffee.yaml');
  const coffeeOf = (percent: number) => {
    const [coffee, ...others] = (JSON.parse(textOf(percent)) as { programmes: unknown[] }).programmes;
    return [JSON.stringify({ programmes: [coffee] }), JSON.stringify({ programmes: others })] as const;
  };
  writeFileSync(file, coffeeOf(20)[0]);
  writeFileSync(join(folder, 'programmes', 'others.yaml'), coffeeOf(20)[1]);
  expect(programmes).toBeDefined();
  service = await Service.start({ redisUrl: redis.url, env: { LOYALTY_CONFIG: folder, OPS_TOKEN } });
  expect(await savedPercent()).toBe(20);
  writeFileSync(file, coffeeOf(30)[0]);
  await until('the changed file', async () => (await savedPercent()) === 30);

  writeFileSync(file, coffeeOf(40)[0].replace('"percent":40', '"percent":140'));
  await until('the refusal', () => reloads('reload refused').length === 1);
  expect(reloads('reload refused')[0]?.reason).toContain(`${file}: programmes[0].benefits[0].percent: found 140`);
  expect(await savedPercent()).toBe(30);
  writeFileSync(file, coffeeOf(50)[0]);
  await until('the mended file', async () => (await savedPercent()) === 50);

  const before = 2;
  await until('both reloads in the log', () => reloads('reloaded').length === before);
  writeFileSync(join(folder, 'programmes', '.coffee.yaml.swp'), 'x');
  await sleep(SEVERAL_LOOKS_MS);
  expect(reloads('reloaded')).toHaveLength(before);
  writeFileSync(join(folder, 'programmes', 'new.yaml'), '{ programmes: [{ programmeId: new }] }');
  await until('the added file', () => reloads('reloaded').length === before + 1);
  const { body } = await ask(service.opsUrl, 'GET /admin/configuration');
  expect(body).toMatchObject({ version: reloads('reloaded').at(-1)?.configuration });
  expect(body.files).toContain(join(folder, 'programmes', 'new.yaml'));
});

test('secrets and configuration rotate under load with two processes, and no call is lost', async () => {
  const [first, second] = [newSecret(), newSecret()];
  const secretsFile = join(temporaryDirectory(), 'secrets');
  writeFileSync(secretsFile, first);
  const env = { LOYALTY_SECRETS_FILE: secretsFile, LOYALTY_SECRETS: '', PROCESSES: '2', OPS_TOKEN };
  service = await Service.start({ redisUrl: redis.url, secrets: [first, second], env });
  const file = join(service.dataDirectory, 'environment.yaml');
  const secretCount = async () => (await ask(service.opsUrl, 'GET /admin/configuration')).body.secrets;

  let secret = first;
  let isOver = false;
  const seen = new Map<string, number>();
  const load = Array.from({ length: 4 }, async () => {
    const caller = service.newCaller();
    while (!isOver) {
      const answer = await patiently(() => caller.basket(basketOf(), { secret }));
      const word = `${answer.status} ${answer.json<AppliedBody>().totals?.loyaltyDiscountTotal}`;
      seen.set(word, (seen.get(word) ?? 0) + 1);
      // The files are looked at every second or two: without a pause these would be thousands of calls.
      await sleep(10);
    }
  });
  try {
    writeFileSync(secretsFile, `${first}\n${second}\n`);
    await until('both secrets', async () => (await secretCount()) === 2);
    secret = second;
    writeFileSync(file, textOf(30));
    await until('the new percentage', () => seen.has('200 3000'));
    // What was signed with the first secret has been answered long ago by the time that it is taken away.
    writeFileSync(secretsFile, second);
    await until('one secret', async () => (await secretCount()) === 1);
    await until('a few hundred calls', () => [...seen.values()].reduce((sum, count) => sum + count, 0) > 400);
  } finally {
    isOver = true;
    await Promise.all(load);
  }
  expect([...seen.keys()].sort()).toEqual(['200 2000', '200 3000']);
  const refused = await service.newCaller().basket(basketOf(), { secret: first });
  expect([refused.status, refused.code]).toEqual([401, 'invalid_signature']);
});
