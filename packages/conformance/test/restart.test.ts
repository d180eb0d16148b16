/** Replays over a restart: the kit runs a command between a call and its repetition, and finds who remembers only in memory. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../test/support/cleanup.ts';
import { freePorts } from '../../../test/support/free-ports.ts';
import { Service } from '../../../test/support/service.ts';
import { useSharedService } from '../../../test/support/shared-service.ts';
import { until } from '../../../test/support/wait.ts';
import type { Certificate } from '../src/kit/certify.ts';
import { type Plant, PlantingProxy } from './planting-proxy.ts';
import { runKit } from './run-kit.ts';

const stage = useSharedService();
const CHECK = 'idempotency.after-restart';

function run(baseUrl: string, secret: string, command: string, more: readonly string[] = []): Promise<Certificate> {
  return runKit(baseUrl, secret, ['--only', CHECK, '--between-replays', command, ...more]);
}

function rowOf({ results }: Certificate) {
  return results.find(({ name }) => name === CHECK)!;
}

function faultsOf({ results }: Certificate): readonly string[] {
  return results.flatMap(({ outcome, seen }) => (outcome === 'failed' ? seen : []));
}

test('a service that is killed and started again remembers', async () => {
  const [port, opsPort] = await freePorts(2);
  const options = { redisUrl: stage.redis.url, env: { PORT: String(port), OPS_PORT: String(opsPort) } };
  const first = await Service.start(options);
  const again = first.exited.then(() => Service.start({ ...options, secrets: first.secrets }));
  const metrics = ['--metrics-url', `${first.opsUrl}/metrics`];
  const certificate = await run(
    first.baseUrl,
    first.secrets[0]!,
    `kill -9 ${[first.pid, ...first.gateways].join(' ')}`,
    metrics,
  );
  const second = await again;
  await second.stop();
  expect(faultsOf(certificate)).toEqual([]);
  expect(rowOf(certificate).outcome).toBe('passed');
});

test('a command that restarts nothing proves nothing, and neither does one of which nobody can tell', async () => {
  const { baseUrl, opsUrl } = stage.service;
  const { secret } = stage.caller;
  const untold = await run(baseUrl, secret, 'true');
  expect(rowOf(untold)).toMatchObject({ outcome: 'skipped', seen: [expect.stringContaining('needs --metrics-url')] });
  const idle = await run(baseUrl, secret, 'true', ['--metrics-url', `${opsUrl}/metrics`]);
  expect(rowOf(idle)).toMatchObject({ outcome: 'skipped', seen: [expect.stringContaining('restarted nothing')] });
  const wrong = await run(baseUrl, secret, 'true', ['--metrics-url', `${opsUrl}/healthz`]);
  expect(rowOf(wrong)).toMatchObject({ outcome: 'skipped', seen: [expect.stringContaining('names no process_start')] });
});

test('a store in memory is found, and so is a command that fails', async () => {
  const mark = join(temporaryDirectory(), 'restarted');
  const forgetful: Plant = async (passing, { forward }) => {
    const answer = await forward(passing);
    if (!existsSync(mark)) return answer;
    return { ...answer, headers: answer.headers.filter(([name]) => name !== 'Idempotent-Replayed') };
  };
  const proxy = await PlantingProxy.start(stage.service.baseUrl, stage.caller.secret);
  try {
    proxy.set(forgetful);
    // A machine that stands still refuses a call; then the kit looks again, from the beginning.
    const certificate = await until('a run in which every call is served', async () => {
      rmSync(mark, { force: true });
      const seen = await run(proxy.baseUrl, stage.caller.secret, `touch '${mark}'; exit 3`);
      return !faultsOf(seen).join().includes('503') && seen;
    });
    expect([...new Set(faultsOf(certificate))]).toEqual([
      'the command ended with 3',
      expect.stringContaining('after the command: Idempotent-Replayed is missing'),
    ]);
  } finally {
    await proxy.stop();
  }
});
