import type { Mix } from '../load/mix.ts';
import { Contestant } from '../machine/contestant.ts';
import { percentileMs, showNumber } from '../report/spread.ts';
import { acceptedOf, failuresOf, latencyTable } from './latency-table.ts';
import { measureOpen, steady, warmUp } from './measure.ts';
import type { OpenMeasurement, Scenario, ScenarioReport, Stage } from './scenario.ts';

const MIX: Mix = { lines: 20, members: 'many' };
const CALLS_PER_SECOND = 50;
const SECONDS = 2;

/** Shows what the first callers of a new process wait for. */
export const coldStartScenario: Scenario = {
  name: 'cold-start',
  about: `open loop, 20 lines, ${CALLS_PER_SECOND}/s: the first ${CALLS_PER_SECOND * SECONDS} calls after readiness`,
  run: runColdStart,
};

async function runColdStart(stage: Stage): Promise<ScenarioReport> {
  const rounds: OpenMeasurement[] = [];
  // The generator has to be warm itself, and nobody but the measured service may be alive then.
  const other = await Contestant.start('service');
  await warmUp(stage, other, MIX).finally(() => other.stop());
  for (let round = 0; round < stage.options.rounds; round += 1) {
    const service = await Contestant.start('service');
    try {
      const measured = await measureOpen(stage, service, MIX, [steady(CALLS_PER_SECOND, SECONDS)], { seed: round });
      rounds.push(measured);
      stage.say(`start ${round + 1} of ${stage.options.rounds}: p99 ${showNumber(p99(measured))} ms`);
    } finally {
      await service.stop();
    }
  }
  return {
    tables: [latencyTable('cold-start: from the first call on', [{ label: 'service', rounds, latencies: acceptedOf }])],
    figures: { 'cold-start.p99': rounds.map(p99), 'cold-start.failures': rounds.map(failuresOf) },
    pictures: [],
    notes: [],
    raw: rounds,
  };
}

function p99(round: OpenMeasurement): number {
  return percentileMs(acceptedOf(round), 99);
}
