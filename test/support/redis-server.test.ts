/** The launcher itself: data outlives a kill, a pause holds and ends, and nothing is left behind. */
import { existsSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { cleanUp, isAlive } from './cleanup.ts';
import { RedisServer } from './redis-server.ts';
import { within } from './wait.ts';

afterAll(cleanUp);

test('what was answered before kill -9 is there after the restart', async () => {
  const redis = await RedisServer.launch();
  const { pid } = redis;
  await redis.client.set('kept', 'yes');
  await redis.kill();
  expect(isAlive(pid)).toBe(false);
  await redis.start();
  expect(await redis.client.get('kept')).toBe('yes');
  await redis.stop();
});

test('a paused server answers nobody until it is resumed', async () => {
  const redis = await RedisServer.launch();
  await redis.client.ping();
  redis.pause();
  const answer = redis.client.ping();
  expect(await within(answer, 100)).toBeUndefined();
  redis.resume();
  expect(await answer).toBe('PONG');
  redis.pause();
  await redis.stop();
});

test('cleaning up kills what runs and removes its directory', async () => {
  const redis = await RedisServer.launch();
  const { pid, directory } = redis;
  cleanUp();
  await redis.kill();
  expect(isAlive(pid)).toBe(false);
  expect(existsSync(directory)).toBe(false);
});
