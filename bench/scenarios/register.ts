import { capacityScenario } from './capacity.ts';
import { latencyScenario } from './latency.ts';
import { linesScenario } from './lines.ts';
import { mixedScenario } from './mixed.ts';
import { overloadScenario } from './overload.ts';
import { redisScenario } from './redis.ts';
import { replayScenario } from './replay.ts';
import type { Scenario } from './scenario.ts';
import { soakScenario } from './soak.ts';

/** All scenarios, in running order. */
const SCENARIOS: readonly Scenario[] = [
  ...[5, 20, 60, 200].map(linesScenario),
  replayScenario,
  redisScenario,
  latencyScenario,
  mixedScenario,
  overloadScenario,
  capacityScenario,
  soakScenario,
];

/** Returns the scenarios with these names; without names, all except those on demand. */
export function chooseScenarios(names: readonly string[]): Scenario[] {
  if (names.length === 0) return SCENARIOS.filter(({ isOnDemand }) => !isOnDemand);
  return names.map((name) => {
    const known = SCENARIOS.find((scenario) => scenario.name === name);
    if (known) return known;
    throw new Error(`There is no scenario ${name}; there are ${SCENARIOS.map((one) => one.name).join(', ')}.`);
  });
}
