/** A budget of all members on a cluster: its counter and its members lie on several masters. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseRedisAddress, type RedisAddress } from '../../src/redis/address.ts';
import { Connection } from '../../src/redis/connection.ts';
import { CommonPlay } from '../model/common/play.ts';
import { type OpenStage, openCommonStage } from '../model/common/stages.ts';
import { drawSteps } from '../model/common/world.ts';
import { campaignBooks, FIRST, playCampaign } from '../support/campaign.ts';
import { cleanUp } from '../support/cleanup.ts';
import { timesCases } from '../support/effort.ts';
import { until } from '../support/wait.ts';
import { RedisCluster } from './redis-cluster.ts';

let cluster: RedisCluster;
let connection: Connection;
let stage: OpenStage | undefined;
beforeAll(async () => {
  cluster = await RedisCluster.launch({ replicas: 0 });
  connection = new Connection(parseRedisAddress(cluster.url) as RedisAddress, 'test');
  await until('the connection to be ready', () => connection.isAvailable);
});
afterAll(async () => {
  connection.close();
  await stage?.close();
  await cluster.stop();
  cleanUp();
});

test('two gateways, one of which is killed, give it to the first guests and to nobody more', async () => {
  expect(await playCampaign(cluster.url, connection)).toBe(FIRST);
  expect(await campaignBooks(connection)).toEqual({ consumed: FIRST, overRedeemed: 0, held: 0 });
}, 60_000);

const SEEDS = timesCases(4);

test(`in ${SEEDS} histories every counter says after each step what the model says`, { timeout: 600_000 }, async () => {
  stage = await openCommonStage(parseRedisAddress(cluster.url) as RedisAddress);
  for (let seed = 1; seed <= SEEDS; seed += 1) await new CommonPlay(stage).play(drawSteps(seed, false));
});
