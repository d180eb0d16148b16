/** Answers to the first questions of a night: which build runs, and what the process is about to run out of. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { buildOf, OWN_BUILD, readCheckedOut } from '../../src/telemetry/build.ts';
import { ROOT } from '../architecture/source.ts';
import { instructions } from '../packaging/dockerfile.ts';
import { temporaryDirectory } from '../support/cleanup.ts';
import { readingOf, scrape } from '../support/metrics.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/wait.ts';

const stage = useService();
const COMMIT = readCheckedOut(ROOT) ?? 'unknown';

test('version and commit are in metric, health, log and live page', async () => {
  const { opsUrl, log } = stage.service;
  const build = { version: OWN_BUILD.version, commit: COMMIT };
  expect(await (await fetch(`${opsUrl}/healthz`)).json()).toEqual({ status: 'ok', ...build });
  expect(log.find(({ msg }) => msg === 'listening')).toMatchObject(build);
  expect(readingOf(await scrape(stage.service), 'loyalty_build_info', build)).toBe(1);
  expect(await (await fetch(`${opsUrl}/live`)).json()).toMatchObject(build);
});

test('the commit that an image was built from wins over the files', () => {
  expect(buildOf({ commit: 'abc' })).toEqual({ version: OWN_BUILD.version, commit: 'abc' });
  expect(buildOf({ commit: undefined })).toEqual({ version: OWN_BUILD.version, commit: COMMIT });
});

test('the commit is read from a clone, a packed one, a detached one and a further work tree', () => {
  const clone = temporaryDirectory();
  const git = (folder: string, ...words: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=t', '-c', 'user.email=t@example.com', ...words], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  expect(readCheckedOut(clone)).toBeUndefined();
  git(clone, 'init', '-q', '-b', 'release/next');
  expect(readCheckedOut(clone)).toBeUndefined();
  git(clone, 'commit', '-q', '--allow-empty', '-m', 'first');
  const first = git(clone, 'rev-parse', 'HEAD');
  expect(readCheckedOut(clone)).toBe(first);
  git(clone, 'pack-refs', '--all');
  expect(readCheckedOut(clone)).toBe(first);
  git(clone, 'commit', '-q', '--allow-empty', '-m', 'second');
  const second = git(clone, 'rev-parse', 'HEAD');
  expect(second).not.toBe(first);
  expect(readCheckedOut(clone)).toBe(second);
  const other = join(temporaryDirectory(), 'other');
  git(clone, 'worktree', 'add', '-q', '-b', 'other', other, first);
  expect(readCheckedOut(other)).toBe(first);
  git(clone, 'checkout', '-q', '--detach', first);
  expect(readCheckedOut(clone)).toBe(first);
  expect(readCheckedOut(other)).toBe(first);
});

test('a folder that is no clone, or a broken one, has no commit', () => {
  const folder = temporaryDirectory();
  writeFileSync(join(folder, '.git'), 'gitdir: nowhere\n');
  expect(readCheckedOut(folder)).toBeUndefined();
  const broken = temporaryDirectory();
  mkdirSync(join(broken, '.git'));
  writeFileSync(join(broken, '.git', 'HEAD'), 'nonsense\n');
  expect(readCheckedOut(broken)).toBeUndefined();
});

test("the image's health check asks the health of whichever port is the operations port", async () => {
  const words = instructions(readFileSync(join(ROOT, 'Dockerfile'), 'utf8')).find(([name]) => name === 'HEALTHCHECK');
  const [, ...command] = JSON.parse((words ?? []).slice((words ?? []).indexOf('CMD') + 1).join(' ')) as string[];
  const check = async (OPS_PORT: string): Promise<unknown> => {
    const options = { env: { PATH: process.env.PATH, OPS_PORT }, timeout: 20_000 };
    return promisify(execFile)(process.execPath, command, options).then(
      () => 0,
      ({ code }: { code: unknown }) => code,
    );
  };
  const own = new URL(stage.service.opsUrl).port;
  expect(await check(own)).toBe(0);
  // Nobody listens there.
  expect(await check('1')).toBe(1);
  // Red for want of Redis, and healthy: a restart would not bring it back.
  await stage.redis.kill();
  await until('readiness to be red', async () => (await stage.service.readiness()) === 503);
  expect(await check(own)).toBe(0);
  await stage.redis.start();
  await stage.service.untilReady();
});

/** Sets how many files a process may have open, if a number is given; the hard limit stays. Returns the limit. */
function limitDescriptors(pid: number, limit: string): string {
  const wanted = limit === '' ? '' : `=${limit}:`;
  const options = ['--pid', String(pid), `--nofile${wanted}`];
  return execFileSync('prlimit', [...options, ...(limit === '' ? ['--output', 'SOFT', '--noheadings'] : [])], {
    encoding: 'utf8',
  }).trim();
}

test.skipIf(process.platform !== 'linux')(
  'file descriptors that run out are told before the last is taken',
  async () => {
    const { service } = stage;
    const [gateway = 0] = service.gateways;
    const read = async (name: string) => readingOf(await scrape(service), `loyalty_file_descriptors_${name}`);
    const facts = async () => {
      const answer = await (await fetch(`${service.opsUrl}/readyz`)).json();
      return (answer as { facts: Record<string, string> }).facts;
    };
    const open = await until('the descriptors to be counted', () => read('open'));
    expect(open).toBeGreaterThan(10);
    expect(await facts()).not.toHaveProperty('descriptors');
    const before = limitDescriptors(gateway, '');
    expect(await read('limit')).toBe(Number(before));

    // What is open changes with the connections of the test, so the limit follows it until it is found to be near.
    let limit = 0;
    await until('the fact', async () => {
      limit = Math.ceil((await read('open'))! / 0.9);
      limitDescriptors(gateway, String(limit));
      return /\d+ of \d+ file descriptors are open/.test((await facts())['descriptors'] ?? '');
    });
    await until('the limit to be shown', async () => (await read('limit')) === limit);
    const lines = () => service.log.filter(({ msg }) => String(msg).startsWith('file descriptors'));
    await until('the line', () => lines().length > 0);
    expect(lines().map(({ level }) => level)).toEqual(['warn']);

    limitDescriptors(gateway, before);
    await until('the fact to end', async () => !('descriptors' in (await facts())));
    await until('the line', () => lines().length > 1);
    expect(lines().map(({ level }) => level)).toEqual(['warn', 'info']);
  },
);
