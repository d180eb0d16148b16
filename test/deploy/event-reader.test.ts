/** The user of Redis that reads events and nothing else, made by the commands of the page. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { freePorts } from '../support/free-ports.ts';
import { RedisServer } from '../support/redis-server.ts';
import { runCommand } from '../support/run-command.ts';
import { environmentOf } from '../support/service.ts';
import { runBlock } from './runbook.ts';

const PASSWORD = 'a-password-of-the-warehouse';
const KEY = 'loyalty:staging:events:0';
let redis: RedisServer;
let url: string;
let reader: Redis;

beforeAll(async () => {
  const [port = 0] = await freePorts(1);
  redis = await RedisServer.launch(['--port', String(port), '--bind', '127.0.0.1']);
  url = `redis://events:${PASSWORD}@127.0.0.1:${port}`;
  const REDIS = `redis-cli -s ${redis.socket}`;
  await runBlock('Make a user that reads events', { REDIS, ENVIRONMENT: 'staging', PASSWORD });
  await redis.client.xadd(KEY, '1-1', 'calculationId', 'a');
  await redis.client.set('loyalty:staging:pseudonym-key', 'ab'.repeat(32));
  reader = new Redis(url, { enableReadyCheck: false });
});
afterAll(async () => {
  reader?.disconnect();
  await redis?.stop();
  cleanUp();
});

test('it reads events', async () => {
  expect(await reader.xrange(KEY, '-', '+')).toEqual([['1-1', ['calculationId', 'a']]]);
  expect(await reader.xread('STREAMS', KEY, '0')).toEqual([[KEY, [['1-1', ['calculationId', 'a']]]]]);
});

test.each([
  ['the key of the pseudonyms', 'GET loyalty:staging:pseudonym-key'],
  ['a member', 'HGETALL loyalty:staging:member:{x}'],
  ['the events of another environment', 'XRANGE loyalty:production:events:0 - +'],
  ['the names of keys', 'KEYS *'],
  ['a scan', 'SCAN 0'],
  ['an event of its own', `XADD ${KEY} * a b`],
  ['a removed event', `XDEL ${KEY} 1-1`],
  ['a trimmed stream', `XTRIM ${KEY} MAXLEN 0`],
  ['a removed stream', `DEL ${KEY}`],
  ['a group', `XGROUP CREATE ${KEY} warehouse 0`],
  ['a script', 'EVAL return 0'],
  ['the settings', 'CONFIG GET *'],
  ['the users', 'ACL LIST'],
])('it is refused %s', async (_, command) => {
  const [name = '', ...words] = command.split(' ');
  await expect(reader.call(name, ...words)).rejects.toThrow(/^NOPERM/);
});

test('the export runs with it, and writes nothing to Redis', async () => {
  const directory = temporaryDirectory();
  const out = join(directory, 'events.ndjson');
  const env = environmentOf({ redisUrl: url }, directory);
  const { code, stderr } = await runCommand(['events', '--out', out], env);
  expect([code, stderr]).toEqual([0, 'events: reading from the oldest event that is kept\n']);
  expect(readFileSync(out, 'utf8')).toBe('{"stream":0,"id":"1-1","calculationId":"a"}\n');
  expect((await runCommand(['events', '--out', out], env)).code).toBe(0);
});

test('with groups it reads through them, and still changes no event', async () => {
  await runBlock('Let the user of the events have consumer groups', {
    ...{ REDIS: `redis-cli -s ${redis.socket}`, ENVIRONMENT: 'staging' },
  });
  await reader.xgroup('CREATE', KEY, 'warehouse', '0');
  expect(await reader.xreadgroup('GROUP', 'warehouse', 'one', 'STREAMS', KEY, '>')).toEqual([
    [KEY, [['1-1', ['calculationId', 'a']]]],
  ]);
  expect(await reader.xack(KEY, 'warehouse', '1-1')).toBe(1);
  for (const [name, ...words] of [
    ['GET', 'loyalty:staging:pseudonym-key'],
    ['XDEL', KEY, '1-1'],
    ['XADD', KEY, '*', 'a', 'b'],
  ]) {
    await expect(reader.call(name!, ...words)).rejects.toThrow(/^NOPERM/);
  }
});
