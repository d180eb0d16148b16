/** Profiles come by the administration, for the operators alone; SIGUSR1 opens no debugger for every local user. */
import { readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { basketOf } from '../support/baskets.ts';
import { isAlive } from '../support/cleanup.ts';
import { childrenOf } from '../support/processes.ts';
import { useService } from '../support/service.ts';
import { sleep, until } from '../support/wait.ts';
import { type AnyBody, ask, OPS_TOKEN } from './admin-client.ts';

const stage = useService({ env: { OPS_TOKEN, PROCESSES: '2' } });

interface Made extends AnyBody {
  readonly file: string;
}

const call = (words: string) => ask<Made>(stage.service.opsUrl, words);

test('SIGUSR1 opens no debugger in the supervisor or its processes', async () => {
  const all = [stage.service.pid, ...childrenOf(stage.service.pid)];
  for (const pid of all) process.kill(pid, 'SIGUSR1');
  const said = (words: string) => stage.service.output.filter((line) => line.includes(words));
  // The processes have the option that ignores the signal; the supervisor of the tests, started without it, answers.
  await until('the answer of the supervisor', () => said('SIGUSR1').length > 0);
  await sleep(500);
  expect(said('Debugger listening')).toEqual([]);
  expect(all.every(isAlive)).toBe(true);
});

test.each([1, 2])('a CPU profile of process %d is a file of its owner', async (number) => {
  const made = await call(`POST /admin/profile?kind=cpu&seconds=1&process=${number}`);
  expect(made).toMatchObject({ status: 200, body: { kind: 'cpu', process: number } });
  expect(statSync(made.body.file).mode & 0o777).toBe(0o600);
  const profile = JSON.parse(readFileSync(made.body.file, 'utf8')) as { nodes: unknown[]; samples: unknown[] };
  expect(profile.nodes.length).toBeGreaterThan(0);
  expect(profile.samples.length).toBeGreaterThan(0);
});

test('a heap snapshot is a file of its owner, and the process goes on', async () => {
  const before = childrenOf(stage.service.pid);
  const made = await call('POST /admin/profile?kind=heap');
  expect(made.status).toBe(200);
  expect(statSync(made.body.file).mode & 0o777).toBe(0o600);
  expect(readFileSync(made.body.file, 'utf8').startsWith('{"snapshot"')).toBe(true);
  expect(childrenOf(stage.service.pid)).toEqual(before);
  expect((await stage.caller.basket(basketOf())).status).toBe(200);
  const lines = stage.service.log.filter(({ action }) => action === 'make a profile');
  expect(lines.at(-1)).toMatchObject({ profile: 'heap', httpStatus: 200 });
});

test('what cannot be profiled is refused', async () => {
  for (const query of ['kind=disk', 'seconds=0', 'seconds=61', 'seconds=x', 'process=0', 'process=3']) {
    expect((await call(`POST /admin/profile?${query}`)).status).toBe(400);
  }
  const first = call('POST /admin/profile?seconds=1');
  // Both are asked for in one turn, and the process takes them in order.
  const second = call('POST /admin/profile?seconds=1');
  expect([(await first).status, (await second).status].sort()).toEqual([200, 409]);
});
