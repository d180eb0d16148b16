/** Services of one DATA_DIR and their one Redis: whoever starts, ends or is killed, and whenever. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Random } from '../../packages/simulator/src/random.ts';
import { cleanUp, isAlive, managedRedisPid, temporaryDirectory } from '../support/cleanup.ts';
import { sleep, until } from '../support/wait.ts';
import { User } from './redis-user.ts';

const directories: string[] = [];

/** A server too many has no entry anywhere: whoever works in one of our folders is ended. */
afterAll(() => {
  for (const pid of directories.flatMap(serversOf)) process.kill(pid, 'SIGKILL');
  cleanUp();
});

function newDirectory(): string {
  const directory = temporaryDirectory();
  directories.push(directory);
  return directory;
}

/** Every Redis server that works in this folder, whatever a pid file says. */
function serversOf(directory: string): number[] {
  const socket = join(directory, 'redis', 'redis.sock');
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const title = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return title.includes('redis-server') && ` ${title} `.includes(` ${socket} `);
      } catch {
        return false;
      }
    })
    .map(Number);
}

test('the last one stops it, in whatever order they came', async () => {
  const directory = newDirectory();
  const [first, second] = [await User.start(directory), await User.start(directory)];
  const servers = serversOf(directory);
  expect(servers).toHaveLength(1);
  await second.stop();
  expect(serversOf(directory)).toEqual(servers);
  const third = await User.start(directory);
  await first.stop();
  expect(serversOf(directory)).toEqual(servers);
  await third.stop();
  expect(serversOf(directory)).toEqual([]);
  for (const user of [first, second, third]) expect(user.lines).toEqual(['started']);
});

test('its folder was removed: whoever started it stops it all the same', async () => {
  const directory = newDirectory();
  const user = await User.start(directory);
  expect(serversOf(directory)).toHaveLength(1);
  rmSync(directory, { recursive: true });
  await user.stop();
  expect(serversOf(directory)).toEqual([]);
});

test('one that was killed neither keeps it alive nor has it stopped', async () => {
  const directory = newDirectory();
  const [first, second] = [await User.start(directory), await User.start(directory)];
  const servers = serversOf(directory);
  await first.kill();
  const third = await User.start(directory);
  await third.stop();
  expect(serversOf(directory)).toEqual(servers);
  await second.stop();
  expect(serversOf(directory)).toEqual([]);
});

test('the only one was killed: the next one takes it over, and stops it', async () => {
  const directory = newDirectory();
  await (await User.start(directory)).kill();
  const servers = serversOf(directory);
  const next = await User.start(directory);
  expect(serversOf(directory)).toEqual(servers);
  await next.stop();
  expect(serversOf(directory)).toEqual([]);
});

test('several start in an empty folder at once and end at once: never two servers, none in the end', async () => {
  const directory = newDirectory();
  for (let round = 0; round < 3; round += 1) {
    const users = Array.from({ length: 4 }, () => new User(directory));
    await Promise.all(users.map((user) => user.untilStarted()));
    expect(serversOf(directory)).toHaveLength(1);
    await Promise.all(users.map((user) => user.stop()));
    expect(serversOf(directory)).toEqual([]);
  }
});

test('one starts while another ends, at any moment: it has its server', async () => {
  const directory = newDirectory();
  const random = new Random(7);
  let present = await User.start(directory);
  for (let round = 0; round < 8; round += 1) {
    const next = new User(directory);
    await sleep(random.between(0, 400));
    await present.stop();
    await next.untilStarted();
    await until('one server', () => serversOf(directory).length === 1);
    // It was not lost and found again: the start came before the end, or waited for it.
    expect(next.lines).toEqual(['started']);
    present = next;
  }
  await present.stop();
  expect(serversOf(directory)).toEqual([]);
});

test('its server dies under several: one starts it again, the others take that one', async () => {
  const directory = newDirectory();
  const users = [await User.start(directory), await User.start(directory), await User.start(directory)];
  for (let round = 0; round < 3; round += 1) {
    const [server] = serversOf(directory);
    process.kill(server as number, 'SIGKILL');
    await until('another server', () => serversOf(directory).some((pid) => pid !== server));
    expect(serversOf(directory)).toHaveLength(1);
  }
  for (const user of users) await user.stop();
  expect(serversOf(directory)).toEqual([]);
});

test('its server cannot read its file: it is started after ever longer pauses, and the reason is the one of the server', async () => {
  const directory = newDirectory();
  const user = await User.start(directory);
  const files = join(directory, 'redis', 'appendonlydir');
  const file = join(files, 'appendonly.aof.1.incr.aof');
  // A server accepts connections before it has its files, and reads at its next start what the manifest names, no other one.
  await until('its manifest', () => existsSync(join(files, 'appendonly.aof.manifest')));
  writeFileSync(file, 'no command of Redis\r\n');
  process.kill(serversOf(directory)[0] as number, 'SIGKILL');
  const notes = () => user.lines.filter((line) => line.startsWith('note'));
  await until('three pauses', () => notes().length >= 3);
  expect(notes().map((line) => /in ([\d.]+) s$/.exec(line)?.[1])).toEqual(['0.5', '1', '2']);
  expect(notes()[0]).toMatch(/^note the managed Redis has ended; /);
  for (const line of notes().slice(1)) expect(line).toContain('(Bad file format reading the append only file');
  writeFileSync(file, '');
  await until('the server', () => serversOf(directory).length === 1);
  await user.stop();
  expect([notes().length, serversOf(directory)]).toEqual([3, []]);
});

test('one is killed while it starts the server, and another one waits for its turn: never two servers', async () => {
  const directory = newDirectory();
  const random = new Random(5);
  for (let round = 0; round < 8; round += 1) {
    const users = Array.from({ length: 3 }, () => new User(directory));
    // Whoever has made this file holds the lock; it starts the server, or has begun to.
    await until('a lock', () => existsSync(join(directory, 'redis', 'lock')));
    await sleep(random.between(0, 60));
    const victims = users.filter(() => random.next() < 0.5);
    await Promise.all(victims.map((user) => user.kill()));
    const left = [...users.filter((user) => !victims.includes(user)), new User(directory)];
    await Promise.all(left.map((user) => user.untilStarted()));
    expect(serversOf(directory)).toHaveLength(1);
    await Promise.all(left.map((user) => user.stop()));
    expect(serversOf(directory)).toEqual([]);
  }
});

test('one is killed before the pid of its slow server is written: the next one waits for that server', async () => {
  const directory = newDirectory();
  const programs = temporaryDirectory();
  const slow = '#!/bin/sh\nsleep 1\nPATH=${PATH#*:} exec redis-server "$@"\n';
  writeFileSync(join(programs, 'redis-server'), slow, { mode: 0o755 });
  const user = new User(directory, `${programs}:${process.env.PATH}`);
  const pidFile = join(directory, 'redis', 'redis.pid');
  await until('a process of the server', () => existsSync(pidFile));
  await user.kill();
  rmSync(pidFile);
  const next = await User.start(directory);
  expect(serversOf(directory)).toHaveLength(1);
  await next.stop();
  expect(serversOf(directory)).toEqual([]);
});

test('a folder whose path is too long for a socket works in the same way', async () => {
  const directory = join(newDirectory(), 'a-folder-with-a-long-name'.repeat(6));
  const [first, second] = [await User.start(directory), await User.start(directory)];
  const pid = managedRedisPid(directory) as number;
  await first.stop();
  expect(isAlive(pid)).toBe(true);
  await second.stop();
  expect(isAlive(pid)).toBe(false);
});

test('users are killed and started at random: never two servers, and the last one stops it', async () => {
  const directory = newDirectory();
  const random = new Random(11);
  let users = [await User.start(directory)];
  for (let round = 0; round < 12; round += 1) {
    const next = new User(directory);
    await sleep(random.between(0, 200));
    const victim = users[random.between(0, users.length - 1)] as User;
    if (users.length > 2 || random.next() < 0.5) {
      await (random.next() < 0.5 ? victim.kill() : victim.stop());
      users = users.filter((user) => user !== victim);
    }
    await next.untilStarted();
    users.push(next);
    expect(serversOf(directory)).toHaveLength(1);
  }
  await Promise.all(users.map((user) => user.stop()));
  expect(serversOf(directory)).toEqual([]);
});
