import { RedisCluster } from '../../test/cluster/redis-cluster.ts';
import type { Mix } from '../load/mix.ts';
import { disturbedRounds, type Entrant, ratios } from './rounds.ts';
import { saturate } from './saturate.ts';
import { cleanCpuUs, saturationTable } from './saturation.ts';
import type { Scenario, ScenarioReport, Stage } from './scenario.ts';

const MIX: Mix = { lines: 20, members: 'many' };
const ONE = 'one Redis';
const THREE = 'a cluster of three';

/** Shows what it costs the service to speak with a Redis Cluster. Redis' own CPU is left out: it has six processes. */
export const clusterScenario: Scenario = {
  name: 'cluster',
  about: 'closed loop, 20 lines: CPU of the service on a Redis Cluster of three masters beside that on one Redis',
  run: runCluster,
};

async function runCluster(stage: Stage): Promise<ScenarioReport> {
  const cluster = await RedisCluster.launch();
  try {
    const entrants: readonly Entrant[] = [
      { label: ONE, name: 'service' },
      { label: THREE, name: 'service', options: { redisUrl: async () => cluster.url } },
    ];
    const results = await saturate(stage, entrants, MIX);
    return {
      tables: [saturationTable('cluster: one Redis and a cluster of three', results)],
      figures: { 'cluster.cpu.ratio': ratios(results, THREE, ONE, cleanCpuUs) },
      disturbedRounds: disturbedRounds(results),
      pictures: [],
      notes: [],
      raw: Object.fromEntries(results),
    };
  } finally {
    await cluster.stop();
  }
}
