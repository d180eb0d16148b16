/** A budget of all members on a cluster: its counter and its members lie on several masters. */
import { afterAll, expect, test } from 'vitest';
import { parseRedisAddress, type RedisAddress } from '../../src/redis/address.ts';
import { CommonPlay } from '../model/common/play.ts';
import { type OpenStage, openCommonStage } from '../model/common/stages.ts';
import { drawSteps } from '../model/common/world.ts';
import { campaignBooks, FIRST, playCampaign } from '../support/campaign.ts';
import { timesCases } from '../support/effort.ts';
import { useCluster } from './use-cluster.ts';

const on = useCluster({ replicas: 0 });
let stage: OpenStage | undefined;
afterAll(() => stage?.close());

test('two gateways, one of which is killed, give it to the first guests and to nobody more', async () => {
  expect(await playCampaign(on.cluster.url, on.store.connection)).toBe(FIRST);
  expect(await campaignBooks(on.store.connection)).toEqual({ consumed: FIRST, overRedeemed: 0, held: 0 });
}, 60_000);

const SEEDS = timesCases(4);

test(`in ${SEEDS} histories every counter says after each step what the model says`, { timeout: 600_000 }, async () => {
  stage = await openCommonStage(parseRedisAddress(on.cluster.url) as RedisAddress);
  for (let seed = 1; seed <= SEEDS; seed += 1) await new CommonPlay(stage).play(drawSteps(seed, false));
});
