/** Replays over a restart: the kit runs a command between a call and its repetition, and finds who remembers only in memory. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePorts } from '../../../test/cluster/free-ports.ts';
import { temporaryDirectory } from '../../../test/support/cleanup.ts';
import { Service, useService } from '../../../test/support/service.ts';
import type { Certificate } from '../src/kit/certify.ts';
import { type Plant, PlantingProxy } from './planting-proxy.ts';
import { runKit } from './run-kit.ts';

const stage = useService();
const CHECK = 'idempotency.after-restart';

function run(baseUrl: string, secret: string, command: string): Promise<Certificate> {
  return runKit(baseUrl, secret, ['--only', CHECK, '--between-replays', command]);
}

function faultsOf({ results }: Certificate): readonly string[] {
  return results.flatMap(({ outcome, seen }) => (outcome === 'failed' ? seen : []));
}

test('a service that is killed and started again remembers', async () => {
  const [port] = await freePorts(1);
  const options = { redisUrl: stage.redis.url, env: { PORT: String(port) } };
  const first = await Service.start(options);
  const again = first.exited.then(() => Service.start({ ...options, secrets: first.secrets }));
  const certificate = await run(first.baseUrl, first.secrets[0]!, `kill -9 ${first.pid}`);
  const second = await again;
  await second.stop();
  expect(faultsOf(certificate)).toEqual([]);
  expect(certificate.results.find(({ name }) => name === CHECK)?.outcome).toBe('passed');
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
    const certificate = await run(proxy.baseUrl, stage.caller.secret, `touch '${mark}'; exit 3`);
    expect([...new Set(faultsOf(certificate))]).toEqual([
      'the command ended with 3',
      expect.stringContaining('after the command: Idempotent-Replayed is missing'),
    ]);
  } finally {
    await proxy.stop();
  }
});
