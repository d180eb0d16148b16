import type { Mix } from '../load/mix.ts';
import { besideBursts } from '../machine/bursts.ts';
import { percentilePlot } from '../report/percentile-plot.ts';
import { percentileMs, showNumber, showSpread } from '../report/spread.ts';
import { latencyTable, onlyPhase } from './latency-table.ts';
import { measureClosed, measureOpen, steady } from './measure.ts';
import { entrantsOf, takeTurns, withContestants } from './rounds.ts';
import type { OpenMeasurement, Scenario, ScenarioReport, Stage } from './scenario.ts';

const SHARE = 0.1;
const SMALL: Mix = { lines: 5, members: 'many' };
const MIXED: Mix = { ...SMALL, large: { share: SHARE, lines: 200 } };
const LENGTH = 2;
/** What a thread needs for 200 lines. */
const BURST_MS = 2.5;

interface Round {
  readonly alone: OpenMeasurement;
  readonly among: OpenMeasurement;
  /** As many bursts of work beside the small ones, in a process of their own, as there are large baskets. */
  readonly burdened: OpenMeasurement;
}

/** Shows whether a large basket delays the small ones behind it, and how much of that is the machine's. */
export const mixedScenario: Scenario = {
  name: 'mixed',
  about:
    'open loop at half of saturation: 5-line baskets with one 200-line basket in ten among them, as many without, and as many beside work of another process',
  run: runMixed,
};

async function runMixed(stage: Stage): Promise<ScenarioReport> {
  const rounds: Round[] = [];
  const rate = await withContestants(stage, entrantsOf(stage, ['service']), MIXED, async (contestants) => {
    const [service] = contestants.values();
    if (!service) throw new Error('The service does not take part.');
    const saturation = await measureClosed(stage, service, MIXED);
    const half = Math.max(50, Math.round(saturation.perSecond / 2));
    stage.say(`the mix saturates at ${showNumber(saturation.perSecond)}/s; it is asked ${half}/s`);
    const seconds = stage.options.seconds * LENGTH;
    for (let round = 0; round < stage.options.rounds; round += 1) {
      const [alone, among, burdened] = await takeTurns(round, [
        // All runs have the same rate of small baskets, so that the large ones, or the bursts, are the only difference.
        () => measureOpen(stage, service, SMALL, [steady(half * (1 - SHARE), seconds)], { seed: round }),
        () => measureOpen(stage, service, MIXED, [steady(half, seconds)], { seed: round }),
        () =>
          besideBursts(half * SHARE, BURST_MS, () =>
            measureOpen(stage, service, SMALL, [steady(half * (1 - SHARE), seconds)], { seed: round }),
          ),
      ]);
      rounds.push({ alone, among, burdened });
      const [before, after, beside] = [alone, among, burdened].map((run) => showNumber(p99(run)));
      const shown = `p99 of 5 lines ${before} ms alone, ${after} ms among, ${beside} ms beside bursts`;
      stage.say(`round ${round + 1} of ${stage.options.rounds}: ${shown}`);
    }
    return half;
  });
  const [alone, among] = [rounds.map((round) => round.alone), rounds.map((round) => round.among)];
  return {
    tables: [
      latencyTable(`mixed: ${rate}/s of the mix`, [
        { label: '5 lines alone', rounds: alone, latencies: (round) => onlyPhase(round).accepted.basket },
        { label: '5 lines among large', rounds: among, latencies: (round) => onlyPhase(round).accepted.basket },
        {
          label: '5 lines beside bursts',
          rounds: rounds.map((round) => round.burdened),
          latencies: (round) => onlyPhase(round).accepted.basket,
        },
        { label: '200 lines', rounds: among, latencies: (round) => onlyPhase(round).accepted.large },
      ]),
    ],
    figures: { 'mixed.p99.ratio': rounds.map((round) => p99(round.among) / p99(round.alone)) },
    pictures: [
      percentilePlot('mixed-percentiles', 'Latency of 5-line baskets, with and without large ones (last round)', {
        '5 lines alone': alone.at(-1) && onlyPhase(alone.at(-1) as OpenMeasurement).accepted.basket,
        '5 lines among': among.at(-1) && onlyPhase(among.at(-1) as OpenMeasurement).accepted.basket,
        '200 lines': among.at(-1) && onlyPhase(among.at(-1) as OpenMeasurement).accepted.large,
      }),
    ],
    notes: [`p99 beside bursts ÷ alone: ${showSpread(rounds.map((round) => p99(round.burdened) / p99(round.alone)))}`],
    raw: { rate, rounds },
  };
}

/** Of the small baskets. */
function p99(run: OpenMeasurement): number {
  return percentileMs(onlyPhase(run).accepted.basket, 99);
}
