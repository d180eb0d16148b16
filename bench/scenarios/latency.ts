import type { Mix } from '../load/mix.ts';
import { CONTESTANTS } from '../machine/contestant.ts';
import { percentilePlot } from '../report/percentile-plot.ts';
import { percentileMs, showNumber } from '../report/spread.ts';
import { acceptedOf, failuresOf, latencyTable } from './latency-table.ts';
import { measureClosed, measureOpen, steady } from './measure.ts';
import { entrantsOf, inRounds, ratios, withContestants } from './rounds.ts';
import type { OpenMeasurement, Scenario, ScenarioReport, Stage } from './scenario.ts';

const MIX: Mix = { lines: 20, members: 'many' };

/** The length factor of these runs: p99.9 needs thousands of requests. */
const LENGTH = 2;

/** Measures all contestants at one rate that all sustain easily: half of Fastify's saturation. */
export const latencyScenario: Scenario = {
  name: 'latency',
  about:
    'open loop, 20 lines, all contestants at half of the saturation of Fastify: percentiles from the scheduled send',
  run: runLatency,
};

async function runLatency(stage: Stage): Promise<ScenarioReport> {
  const entrants = entrantsOf(stage, CONTESTANTS);
  const { rate, results } = await withContestants(stage, entrants, MIX, async (contestants) => {
    const reference = contestants.get('fastify') ?? [...contestants.values()][0];
    if (!reference) throw new Error('No contestant takes part.');
    const saturation = await measureClosed(stage, reference, MIX);
    const half = Math.max(50, Math.round(saturation.perSecond / 2));
    stage.say(`${reference.name} takes ${showNumber(saturation.perSecond)}/s; all are asked ${half}/s`);
    const measured = await inRounds(
      stage,
      contestants,
      (contestant, _label, round) =>
        measureOpen(stage, contestant, MIX, [steady(half, stage.options.seconds * LENGTH)], { seed: round }),
      (result) => `p99 ${showNumber(percentileMs(acceptedOf(result), 99))} ms`,
    );
    return { rate: half, results: measured };
  });
  const p999 = (result: OpenMeasurement): number => percentileMs(acceptedOf(result), 99.9);
  const rows = [...results].map(([label, rounds]) => ({ label, rounds, latencies: acceptedOf }));
  return {
    tables: [latencyTable(`latency: open loop at ${rate}/s, 20 lines`, rows)],
    figures: {
      'latency.p999.service/fastify': ratios(results, 'service', 'fastify', p999),
      'latency.failures': [...results.values()].flat().map(failuresOf),
    },
    pictures: [
      percentilePlot(
        'latency-percentiles',
        `Latency from the scheduled send, ${rate}/s, 20 lines (worst round)`,
        Object.fromEntries([...results].map(([label, rounds]) => [label, worstRound(rounds, p999)])),
      ),
    ],
    notes: [],
    raw: { rate, ...Object.fromEntries(results) },
  };
}

function worstRound(rounds: readonly OpenMeasurement[], figure: (round: OpenMeasurement) => number) {
  const sorted = [...rounds].sort((a, b) => figure(b) - figure(a));
  return sorted[0] && acceptedOf(sorted[0]);
}
