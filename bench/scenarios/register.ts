import { boundedScenario } from './bounded.ts';
import { campaignScenario } from './campaign.ts';
import { capacityScenario } from './capacity.ts';
import { changesScenario } from './changes.ts';
import { clusterScenario } from './cluster.ts';
import { coldStartScenario } from './cold-start.ts';
import { frontEndsScenario } from './front-ends.ts';
import { latencyScenario } from './latency.ts';
import { mixedScenario } from './mixed.ts';
import { overloadScenario } from './overload.ts';
import { profileScenario } from './profile.ts';
import { redisScenario } from './redis.ts';
import { refusalsScenario } from './refusals.ts';
import { replacementScenario } from './replacement.ts';
import { replayScenario } from './replay.ts';
import { saturationScenario } from './saturation.ts';
import type { Scenario } from './scenario.ts';
import { shopScenario } from './shop.ts';
import { soakScenario } from './soak.ts';
import { stallScenario } from './stall.ts';
import { sweepScenario } from './sweep.ts';

const EQUALS = ['service', 'fastify', 'express'] as const;

/** All scenarios, in running order. */
const SCENARIOS: readonly Scenario[] = [
  saturationScenario('lines-5', 'closed loop, 5 lines, every call new', { lines: 5, members: 'many' }),
  saturationScenario('lines-20', 'closed loop, 20 lines, every call new', { lines: 20, members: 'many' }),
  saturationScenario('lines-200', 'closed loop, 200 lines, every call new', { lines: 200, members: 'many' }),
  saturationScenario('replays', 'closed loop, 20 lines, one call in ten is a replay', {
    lines: 20,
    members: 'many',
    replayShare: 0.1,
  }),
  saturationScenario(
    'hot-member',
    'closed loop, 20 lines, all for one member whose limited benefits run out',
    { lines: 20, members: 'hot' },
    EQUALS,
  ),
  saturationScenario(
    'sales',
    'closed loop, 20 lines, a sale event for every basket; a request is either',
    { lines: 20, members: 'many', withSales: true },
    EQUALS,
  ),
  replayScenario(20),
  replayScenario(200),
  campaignScenario,
  redisScenario,
  latencyScenario,
  mixedScenario,
  boundedScenario,
  overloadScenario,
  stallScenario,
  shopScenario,
  frontEndsScenario,
  refusalsScenario,
  coldStartScenario,
  clusterScenario,
  capacityScenario,
  sweepScenario,
  soakScenario,
  replacementScenario,
  changesScenario,
  profileScenario('profile', 20),
  profileScenario('profile-200', 200),
];

/** Returns the scenarios with these names; without names, all except those on demand. */
export function chooseScenarios(names: readonly string[]): Scenario[] {
  if (names.length === 0) return SCENARIOS.filter(({ isOnDemand }) => !isOnDemand);
  return names.map((name) => {
    const known = SCENARIOS.find((scenario) => scenario.name === name);
    if (!known)
      throw new Error(`There is no scenario ${name}; there are ${SCENARIOS.map((one) => one.name).join(', ')}.`);
    return known;
  });
}
