/** Signals that reach a service while it starts: it obeys as soon as it can, and leaves nothing behind. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { cleanUp, isAlive, managedRedisPid, temporaryDirectory } from '../support/cleanup.ts';
import { Service } from '../support/service.ts';
import { until } from '../support/wait.ts';

afterAll(cleanUp);

/** A service whose Redis takes a second to start; resolves as soon as its process is there. */
async function startSlowly(): Promise<Service> {
  const programs = temporaryDirectory();
  const slow = '#!/bin/sh\nsleep 1\nPATH=${PATH#*:} exec redis-server "$@"\n';
  writeFileSync(join(programs, 'redis-server'), slow, { mode: 0o755 });
  const service = Service.spawn({ env: { PROCESSES: '2', PATH: `${programs}:${process.env.PATH}` } });
  await until('the process of Redis', () => existsSync(join(service.dataDirectory, 'redis', 'redis.pid')));
  return service;
}

test('SIGHUP and SIGUSR2 are obeyed after the start', async () => {
  const service = await startSlowly();
  await service.kill('SIGHUP');
  await service.kill('SIGUSR2');
  await service.untilListening();
  const reloads = () => service.log.filter(({ msg }) => msg === 'reloaded');
  await until('the reload', () => reloads().some(({ cause }) => cause === 'signal'));
  await until('the answer to SIGUSR2', () => service.log.some(({ msg }) => msg === 'processes replaced'));
  expect(await service.stop()).toEqual({ code: 0, signal: null });
});

test('SIGTERM ends it together with the Redis that it starts', async () => {
  const service = await startSlowly();
  const redis = managedRedisPid(service.dataDirectory) as number;
  expect(await service.stop()).toEqual({ code: 0, signal: null });
  expect(isAlive(redis)).toBe(false);
});
