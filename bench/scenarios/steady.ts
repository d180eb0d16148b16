import type { Mix } from '../load/mix.ts';
import { percentilePlot } from '../report/percentile-plot.ts';
import { percentileMs, showNumber } from '../report/spread.ts';
import { acceptedOf, failuresOf, latencyTable } from './latency-table.ts';
import { measureOpen, steady } from './measure.ts';
import { entrantsOf, inRounds, withContestants } from './rounds.ts';
import type { Scenario, ScenarioReport, Stage } from './scenario.ts';

const MIX: Mix = { lines: 20, members: 'many' };
const PER_SECOND = 2000;
const SHORT_PER_SECOND = 200;

/** A minute at the rate of the goals. */
const LENGTH = 6;

/** Measures forty times the interface's rate, with everything on one small machine. */
export const steadyScenario: Scenario = {
  name: 'steady',
  about: `open loop, 20 lines, ${PER_SECOND}/s for a minute: the service beside its Redis and the generator`,
  run: runSteady,
};

async function runSteady(stage: Stage): Promise<ScenarioReport> {
  const rate = stage.options.isShort ? SHORT_PER_SECOND : PER_SECOND;
  const results = await withContestants(stage, entrantsOf(stage, ['service']), MIX, (contestants) =>
    inRounds(
      stage,
      contestants,
      (contestant, _label, round) =>
        measureOpen(stage, contestant, MIX, [steady(rate, stage.options.seconds * LENGTH)], { seed: round }),
      (result) => `p99 ${showNumber(percentileMs(acceptedOf(result), 99))} ms`,
    ),
  );
  const rounds = results.get('service') ?? [];
  return {
    tables: [latencyTable(`steady: ${rate}/s, 20 lines`, [{ label: 'service', rounds, latencies: acceptedOf }])],
    figures: {
      'steady.p99': rounds.map((round) => percentileMs(acceptedOf(round), 99)),
      'steady.p999': rounds.map((round) => percentileMs(acceptedOf(round), 99.9)),
      'steady.failures': rounds.map(failuresOf),
    },
    pictures: [
      percentilePlot(
        'steady-percentiles',
        `Latency from the scheduled send at ${rate}/s, every round`,
        Object.fromEntries(rounds.map((round, index) => [`round ${index + 1}`, acceptedOf(round)])),
      ),
    ],
    notes: [],
    raw: { rate, rounds },
  };
}
