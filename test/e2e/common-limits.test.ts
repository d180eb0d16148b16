/** A budget of all members, over which two gateways fight on one Redis; one of them is killed in mid-flight. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Connection } from '../../src/redis/connection.ts';
import { campaignBooks, FIRST, playCampaign } from '../support/campaign.ts';
import { cleanUp } from '../support/cleanup.ts';
import { RedisServer } from '../support/redis-server.ts';
import { until } from '../support/wait.ts';

let redis: RedisServer;
let connection: Connection;
beforeAll(async () => {
  redis = await RedisServer.launch();
  connection = new Connection({ kind: 'socket', path: redis.socket }, 'test');
  await until('the connection to be ready', () => connection.isAvailable);
});
afterAll(async () => {
  connection.close();
  await redis.stop();
  cleanUp();
});

test('the first guests get it, to the last one and nobody more, and the books agree', async () => {
  expect(await playCampaign(redis.url, connection)).toBe(FIRST);
  expect(await campaignBooks(connection)).toEqual({ consumed: FIRST, overRedeemed: 0, held: 0 });
}, 60_000);
