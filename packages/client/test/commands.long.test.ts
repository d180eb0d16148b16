/** The commands of this half as people run them: the demo ends by itself with empty findings, the double serves. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { LoyaltyClient, memoryStore } from 'loyalty-basket-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { forgetProcess, temporaryDirectory, watchProcess } from '../../../test/support/cleanup.ts';
import type { configurationOf } from '../../../test/support/configuration.ts';
import { freePorts } from '../../../test/support/free-ports.ts';
import { quickStart } from '../../../test/support/quick-start.ts';
import { RedisServer } from '../../../test/support/redis-server.ts';
import { Service } from '../../../test/support/service.ts';
import { newSecret } from '../../../test/support/signer.ts';
import { until } from '../../../test/support/wait.ts';
import { richBasket } from './fixture.ts';

const LAST_LINE =
  /\nThe books agree on all \d+ calculations: our books, the service's answers, its calculations and its event streams\.\n$/;

interface Command {
  readonly printed: () => string;
  readonly ended: Promise<number | null>;
  readonly kill: (signal: NodeJS.Signals) => void;
}

/** A command of `loyalty`. */
function start(args: readonly string[], env: Record<string, string> = {}): Command {
  return startProgram(process.execPath, ['packages/tools/src/loyalty.ts', ...args], quickStart(env));
}

function startProgram(program: string, args: readonly string[], env: Record<string, string> = {}): Command {
  const child = spawn(program, [...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  watchProcess(child.pid!);
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const ended = once(child, 'close').then(([code]) => {
    forgetProcess(child.pid!);
    return code as number | null;
  });
  return { printed: () => printed, ended, kill: (signal) => child.kill(signal) };
}

/** As it is started by `npm start`: with a Redis and a secret of its own, and the staging members. */
let service: Service;
beforeAll(async () => {
  const configuration = parse(readFileSync('config/staging.yaml', 'utf8')) as ReturnType<typeof configurationOf>;
  service = await Service.start({ configuration, env: { LOYALTY_SECRETS: '' } });
});
afterAll(() => service.stop());

/** A short day, for tests about the service that the demo finds. */
const SHORT_DAY = ['--seconds', '1', '--tills', '1', '--seed', '3'];

test('a service whose secret is missing or another one is left alone', async () => {
  const redis = await RedisServer.launch();
  const service = await Service.start({ redisUrl: redis.url });
  const keys = await redis.client.dbsize();
  const target = ['demo', '--base-url', service.baseUrl, '--secret-file'];
  const file = join(temporaryDirectory(), 'secret');
  const without = start([...target, file, ...SHORT_DAY]);
  expect([await without.ended, without.printed()]).toEqual([1, expect.stringContaining(`${file} does not exist`)]);
  writeFileSync(file, newSecret());
  const wrong = start([...target, file, ...SHORT_DAY]);
  expect([await wrong.ended, wrong.printed()]).toEqual([1, expect.stringContaining('401 invalid_signature')]);
  expect(wrong.printed()).not.toContain('A day in');
  expect(await redis.client.dbsize()).toBe(keys);
  await service.stop();
  await redis.stop();
}, 60_000);

/** The command that the banner of the service prints. */
function startPrinted(seconds: number): Command {
  const banner = service.output.find((text) => /^ {2}try /.test(text)) ?? '';
  const [, printed = ''] = /^ {2}try +(.+?) {3}\(/.exec(banner) ?? [];
  const [variables, options] = printed.split('npm run demo -- ');
  const command = `${variables} exec ${process.execPath} packages/tools/src/loyalty.ts demo ${options}`;
  return startProgram('sh', ['-c', `${command} --seconds ${seconds} --tills 4 --seed 3`], quickStart({}));
}

test('the command that the banner prints plays a day with the staging members and finds nothing', async () => {
  let demo = startPrinted(5);
  expect(await demo.ended, demo.printed()).toBe(0);
  // A busy machine may refuse one of its first calls, as it may a till's, and a demo asks once, as a till does.
  for (let refused = 0; refused < 2 && /: failed \(|, failed \(/.test(demo.printed()); refused += 1) {
    demo = startPrinted(5);
    expect(await demo.ended, demo.printed()).toBe(0);
  }
  const printed = demo.printed();
  for (const words of [
    'loyalty ID test-member-20: applied',
    'unchanged (no_applicable_benefits)',
    'loyalty ID test-member-unknown: member_not_found',
    'sent again: the same answer; sale event applied: recorded',
    'Friday peak',
    'superseded',
  ]) {
    expect(printed).toContain(words);
  }
  expect(printed).not.toContain('starting a service');
  expect(printed).toMatch(LAST_LINE);
  expect(printed).not.toContain(readFileSync(join(service.dataDirectory, 'secret'), 'utf8').trim());
}, 120_000);

test('Ctrl-C closes the shop early, and its books are compared all the same', async () => {
  const demo = startPrinted(3600);
  await until('the shop is open', () => /calculations, .* saved/.test(demo.printed()));
  demo.kill('SIGINT');
  expect(await demo.ended, demo.printed()).toBe(0);
  expect(demo.printed()).toMatch(LAST_LINE);
}, 60_000);

test('another program and its port, and the Redis of the shell, are left alone: the demo starts its own service', async () => {
  const seen: (string | undefined)[] = [];
  const stranger = createServer((request, response) => {
    seen.push(request.headers['pos-signature'] as string | undefined);
    response.end('something else');
  });
  await once(stranger.listen(0, '127.0.0.1'), 'listening');
  const { port } = stranger.address() as AddressInfo;
  const shell = await RedisServer.launch();
  const variables = { PORT: String(port), REDIS_URL: shell.url, DATA_DIR: temporaryDirectory() };
  const demo = start(['demo', ...SHORT_DAY], variables);
  expect(await demo.ended, demo.printed()).toBe(0);
  expect(demo.printed()).toContain(`Another program than the loyalty service answers at http://127.0.0.1:${port}.`);
  expect(demo.printed()).toMatch(LAST_LINE);
  expect(seen).toEqual([undefined]);
  expect(await shell.client.dbsize()).toBe(0);
  expect(readdirSync(variables.DATA_DIR)).toEqual([]);
  stranger.close();
  await shell.stop();
}, 60_000);

test('the port of --base-url is passed on to the service that the demo starts, and both end together', async () => {
  const [port] = await freePorts(1);
  const baseUrl = `http://127.0.0.1:${port}`;
  const demo = start(['demo', '--base-url', baseUrl, ...SHORT_DAY]);
  expect(await demo.ended, demo.printed()).toBe(0);
  expect(demo.printed()).toContain(`Nothing answers at ${baseUrl}: starting a service`);
  expect(demo.printed()).toMatch(LAST_LINE);
  await expect(fetch(baseUrl)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
}, 60_000);

test('production and far-away services are not played with', async () => {
  const far = start(['demo', '--base-url', 'http://nobody.invalid:1', ...SHORT_DAY]);
  expect([await far.ended, far.printed()]).toEqual([1, expect.stringContaining('http://nobody.invalid:1')]);
  const config = join(temporaryDirectory(), 'production.yaml');
  const staging = readFileSync('config/staging.yaml', 'utf8');
  // A configuration of production names no test members.
  writeFileSync(
    config,
    staging.replace('environment: staging', 'environment: production').replace(/^testMembers: .*$/m, ''),
  );
  const production = start(['demo', '--config', config, ...SHORT_DAY]);
  expect([await production.ended, production.printed()]).toEqual([1, expect.stringContaining('in staging only')]);
}, 60_000);

test('the double serves, misbehaves and ends at SIGTERM', async () => {
  const own = ['--secret', newSecret(), '--venue', 'oslo-central'];
  const serve = start(['conformance', 'serve', '--port', '0', '--misbehave', 'wrong-totals', ...own]);
  const [, baseUrl = ''] = await until('its address', () => /base URL +(\S+)/.exec(serve.printed()) ?? undefined);
  const [, secret = ''] = await until('its secret', () => /secret +([0-9a-f]{64})/.exec(serve.printed()) ?? undefined);
  // The kit has options of the same names; behind `serve` they are the double's.
  expect(secret).toBe(own[1]);
  const client = await LoyaltyClient.open({ baseUrl, secret, outbox: memoryStore() });
  expect(await client.calculateBasket(richBasket('member'))).toMatchObject({ failureReason: 'invalid_response' });
  expect(await client.calculateBasket(richBasket('misbehave-late'))).toMatchObject({ failureReason: 'timeout' });
  await client.close();
  const stranger = await LoyaltyClient.open({ baseUrl, secret: newSecret(), outbox: memoryStore() });
  await stranger.calculateBasket(richBasket('member'));
  await stranger.close();
  // Whoever looks at the double sees why it refused a call.
  await until('the refusal', () =>
    /\/v1\/pos\/basket {2}[0-9a-f-]{36} {2}refused: invalid_signature\n/.exec(serve.printed()),
  );
  expect(serve.printed()).toContain('  wrong-totals\n');
  serve.kill('SIGTERM');
  expect(await serve.ended).toBe(0);
});

test('the double lists what it can do', async () => {
  const list = start(['conformance', 'serve', '--list', '--json']);
  expect(await list.ended).toBe(0);
  const rows = JSON.parse(list.printed()) as { code: string; what: string; callerMust: string }[];
  expect(rows.length).toBeGreaterThanOrEqual(25);
  const wrong = start(['conformance', 'serve', '--port', 'many']);
  expect(await wrong.ended).toBe(2);
  expect(wrong.printed()).toContain('Usage: npx loyalty conformance serve');
});
