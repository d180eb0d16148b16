/** A start that is slow where Redis is fast: whoever waits for Redis to become ready hears of the first time. */

import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKeys, memberToken } from '../../src/store/keys.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Service } from '../support/service.ts';
import { until } from '../support/wait.ts';

const SABOTEUR = `--import=${join(import.meta.dirname, '..', 'faults', 'saboteur.mjs')}`;
const keys = createKeys('staging');

let redis: RedisServer;
beforeAll(async () => {
  redis = await RedisServer.launch();
});
afterAll(async () => {
  await redis.stop();
  cleanUp();
});

test('behind a slow name of its host and a slow disk of its recording, the first connection is prepared all the same', async () => {
  const dataDirectory = temporaryDirectory();
  const env = {
    HOST: 'localhost',
    RECORD_FILE: join(dataDirectory, 'recordings', 'baskets.ndjson'),
    NODE_OPTIONS: SABOTEUR,
    SABOTAGE_SLOW_START_MS: '500',
  };
  const service = await Service.start({ redisUrl: redis.url, dataDirectory, env });
  const { client } = redis;
  const member = keys.member(memberToken('coffee-club', 'member-single'));
  const isDone = {
    'redis ready': () => service.log.some(({ msg }) => msg === 'redis ready'),
    'members of the file': async () => (await client.exists(member)) === 1,
    'the configuration': async () => (await client.keys(`${keys.configuration('')}*`)).length === 1,
  };
  for (const [what, look] of Object.entries(isDone)) await until(what, look);
  expect(service.log.filter(({ msg }) => msg === 'redis ready')).toHaveLength(1);
  await service.stop();
});
