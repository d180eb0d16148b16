/** The commands of this half as people run them: the demo ends by itself with empty findings, the double serves. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LoyaltyClient, memoryStore } from 'loyalty-basket-client';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { forgetProcess, temporaryDirectory, watchProcess } from '../../../test/support/cleanup.ts';
import type { configurationOf } from '../../../test/support/configuration.ts';
import { RedisServer } from '../../../test/support/redis-server.ts';
import { Service } from '../../../test/support/service.ts';
import { until } from '../../../test/support/wait.ts';
import { richBasket } from './fixture.ts';

interface Command {
  readonly printed: () => string;
  readonly ended: Promise<number | null>;
  readonly kill: (signal: NodeJS.Signals) => void;
}

function start(args: readonly string[], env: Record<string, string> = {}): Command {
  const child = spawn(process.execPath, [...args], {
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

/** The demo against a service with the staging members, for so many seconds. */
async function startDemo(seconds: number) {
  const redis = await RedisServer.launch();
  const configuration = parse(readFileSync('config/staging.yaml', 'utf8')) as ReturnType<typeof configurationOf>;
  const service = await Service.start({ configuration, redisUrl: redis.url });
  const secretFile = join(temporaryDirectory(), 'secret');
  writeFileSync(secretFile, service.secrets[0]!);
  const target = ['--base-url', service.baseUrl, '--secret-file', secretFile];
  const day = ['--seconds', String(seconds), '--tills', '4', '--seed', '3'];
  const demo = start(['src/tools/loyalty.ts', 'demo', ...target, ...day], { REDIS_URL: redis.url });
  const stop = async () => {
    await service.stop();
    await redis.stop();
  };
  return { demo, service, stop };
}

test('the demo plays a day with the staging members and finds nothing', async () => {
  const { demo, service, stop } = await startDemo(5);
  expect(await demo.ended, demo.printed()).toBe(0);
  const printed = demo.printed();
  for (const words of [
    'loyalty ID test-member-20: applied',
    'unchanged (no_applicable_benefits)',
    'loyalty ID test-member-unknown: member_not_found',
    'sent again: the same answer; sale event applied: recorded',
    'Friday peak',
    'superseded',
    'event streams: empty',
  ]) {
    expect(printed).toContain(words);
  }
  expect(printed).not.toContain(service.secrets[0]);
  await stop();
}, 60_000);

test('Ctrl-C closes the shop early, and its books are compared all the same', async () => {
  const { demo, stop } = await startDemo(3600);
  await until('the shop is open', () => /calculations, .* saved/.test(demo.printed()));
  demo.kill('SIGINT');
  expect(await demo.ended, demo.printed()).toBe(0);
  expect(demo.printed()).toContain('event streams: empty');
  await stop();
}, 60_000);

test('the double serves, misbehaves and ends at SIGTERM', async () => {
  const serve = start(['src/tools/loyalty.ts', 'conformance', 'serve', '--port', '0', '--misbehave', 'wrong-totals']);
  const [, baseUrl = ''] = await until('its address', () => /base URL +(\S+)/.exec(serve.printed()) ?? undefined);
  const [, secret = ''] = await until('its secret', () => /secret +([0-9a-f]{64})/.exec(serve.printed()) ?? undefined);
  const client = await LoyaltyClient.open({ baseUrl, secret, outbox: memoryStore() });
  expect(await client.calculateBasket(richBasket('member'))).toMatchObject({ failureReason: 'invalid_response' });
  expect(await client.calculateBasket(richBasket('misbehave-late'))).toMatchObject({ failureReason: 'timeout' });
  await client.close();
  serve.kill('SIGTERM');
  expect(await serve.ended).toBe(0);
});

test('the double lists what it can do', async () => {
  const list = start(['src/tools/loyalty.ts', 'conformance', 'serve', '--list', '--json']);
  expect(await list.ended).toBe(0);
  const rows = JSON.parse(list.printed()) as { code: string; what: string; callerMust: string }[];
  expect(rows.length).toBeGreaterThanOrEqual(25);
  const wrong = start(['src/tools/loyalty.ts', 'conformance', 'serve', '--port', 'many']);
  expect(await wrong.ended).toBe(2);
  expect(wrong.printed()).toContain('Usage: npx loyalty conformance serve');
});
