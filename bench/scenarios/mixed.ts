import type { Mix } from '../load/mix.ts';
import { percentilePlot } from '../report/percentile-plot.ts';
import { percentileMs, showNumber } from '../report/spread.ts';
import { latencyTable, onlyPhase } from './latency-table.ts';
import { measureClosed, measureOpen, steady } from './measure.ts';
import { entrantsOf, withContestants } from './rounds.ts';
import type { OpenMeasurement, Scenario, ScenarioReport, Stage } from './scenario.ts';

const SHARE = 0.1;
const SMALL: Mix = { lines: 5, members: 'many' };
const MIXED: Mix = { ...SMALL, large: { share: SHARE, lines: 200 } };
const LENGTH = 2;

/** Shows whether a large basket delays the small ones behind it. */
export const mixedScenario: Scenario = {
  name: 'mixed',
  about:
    'open loop at half of saturation: 5-line baskets with one 200-line basket in ten among them, and as many without',
  run: runMixed,
};

async function runMixed(stage: Stage): Promise<ScenarioReport> {
  const rounds: { alone: OpenMeasurement; among: OpenMeasurement }[] = [];
  const rate = await withContestants(stage, entrantsOf(stage, ['service']), MIXED, async (contestants) => {
    const [service] = contestants.values();
    if (!service) throw new Error('The service does not take part.');
    const saturation = await measureClosed(stage, service, MIXED);
    const half = Math.max(50, Math.round(saturation.perSecond / 2));
    stage.say(`the mix saturates at ${showNumber(saturation.perSecond)}/s; it is asked ${half}/s`);
    const seconds = stage.options.seconds * LENGTH;
    for (let round = 0; round < stage.options.rounds; round += 1) {
      const runs = [
        // Both runs have the same rate of small baskets, so that the large ones are the only difference.
        () => measureOpen(stage, service, SMALL, [steady(half * (1 - SHARE), seconds)], { seed: round }),
        () => measureOpen(stage, service, MIXED, [steady(half, seconds)], { seed: round }),
      ];
      const measured: OpenMeasurement[] = [];
      // The order rotates with the round, and the results are put back into place.
      for (let turn = 0; turn < runs.length; turn += 1) {
        const at = (round + turn) % runs.length;
        measured[at] = await (runs[at] as () => Promise<OpenMeasurement>)();
      }
      const [alone, among] = measured as [OpenMeasurement, OpenMeasurement];
      rounds.push({ alone, among });
      const [before, after] = [p99(alone, 'basket'), p99(among, 'basket')].map(showNumber);
      stage.say(`round ${round + 1} of ${stage.options.rounds}: p99 of 5 lines ${before} ms alone, ${after} ms among`);
    }
    return half;
  });
  const [alone, among] = [rounds.map((round) => round.alone), rounds.map((round) => round.among)];
  return {
    tables: [
      latencyTable(`mixed: ${rate}/s of the mix`, [
        { label: '5 lines alone', rounds: alone, latencies: (round) => onlyPhase(round).accepted.basket },
        { label: '5 lines among large', rounds: among, latencies: (round) => onlyPhase(round).accepted.basket },
        { label: '200 lines', rounds: among, latencies: (round) => onlyPhase(round).accepted.large },
      ]),
    ],
    figures: { 'mixed.p99.ratio': rounds.map((round) => p99(round.among, 'basket') / p99(round.alone, 'basket')) },
    pictures: [
      percentilePlot('mixed-percentiles', 'Latency of 5-line baskets, with and without large ones (last round)', {
        '5 lines alone': alone.at(-1) && onlyPhase(alone.at(-1) as OpenMeasurement).accepted.basket,
        '5 lines among': among.at(-1) && onlyPhase(among.at(-1) as OpenMeasurement).accepted.basket,
        '200 lines': among.at(-1) && onlyPhase(among.at(-1) as OpenMeasurement).accepted.large,
      }),
    ],
    notes: [],
    raw: { rate, rounds },
  };
}

function p99(round: OpenMeasurement, kind: 'basket' | 'large'): number {
  return percentileMs(onlyPhase(round).accepted[kind], 99);
}
