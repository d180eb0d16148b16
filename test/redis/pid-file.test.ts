/** A pid file that a managed Redis finds in its folder: the process that it names is somebody else's, and left alone. */
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { cleanUp, isAlive, managedRedisPid, temporaryDirectory, watchProcess } from '../support/cleanup.ts';
import { RedisServer } from '../support/redis-server.ts';
import { until } from '../support/wait.ts';
import { User } from './redis-user.ts';

afterAll(cleanUp);

/** A folder that holds this pid file already. */
function directoryWith(pidFile: string): string {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'redis'));
  writeFileSync(join(directory, 'redis', 'redis.pid'), pidFile);
  return directory;
}

/** Starts and stops a Redis there, and answers its process ID. */
async function useRedis(directory: string): Promise<number> {
  const user = await User.start(directory);
  const pid = managedRedisPid(directory);
  expect(pid && isAlive(pid)).toBe(true);
  await user.stop();
  await until('the end of its own', () => !isAlive(pid as number));
  return pid as number;
}

const pidFiles: [string, (pid: number) => string][] = [
  ['the pid of another process', (pid) => `${pid}\n`],
  ['words', () => 'not a pid\n'],
  ['nothing', () => ''],
  ['a pid that nobody has', () => '4194000\n'],
  ['pid 1', () => '1\n'],
  ['a negative number', (pid) => `-${pid}\n`],
];
test.each(pidFiles)('%s', async (_, write) => {
  const bystander = spawn('sleep', ['600'], { stdio: 'ignore' });
  const pid = bystander.pid ?? 0;
  watchProcess(pid);
  expect(await useRedis(directoryWith(write(pid)))).not.toBe(pid);
  expect(isAlive(pid)).toBe(true);
  bystander.kill('SIGKILL');
});

test('another Redis, though the file names it, is neither used nor stopped', async () => {
  const other = await RedisServer.launch();
  expect(await useRedis(directoryWith(`${other.pid}\n`))).not.toBe(other.pid);
  expect(await other.client.dbsize()).toBe(0);
  expect(isAlive(other.pid)).toBe(true);
  await other.stop();
});
