import type { Mix } from '../load/mix.ts';
import { percentileMs, showNumber } from '../report/spread.ts';
import { latencyTable, onlyPhase } from './latency-table.ts';
import { measureClosed, measureOpen, steady } from './measure.ts';
import { withService } from './rounds.ts';
import type { OpenMeasurement, Scenario, ScenarioReport, Stage } from './scenario.ts';

const SHARE = 0.1;
const SMALL: Mix = { lines: 5 };
const MIXED: Mix = { ...SMALL, large: { share: SHARE, lines: 200 } };
const LENGTH = 2;

interface Round {
  readonly alone: OpenMeasurement;
  readonly among: OpenMeasurement;
}

/** Shows whether a large basket delays the small ones behind it. */
export const mixedScenario: Scenario = {
  name: 'mixed',
  about:
    'open loop at half of saturation: 5-line baskets with one 200-line basket in ten among them, and as many without',
  run: runMixed,
};

async function runMixed(stage: Stage): Promise<ScenarioReport> {
  const rounds: Round[] = [];
  const rate = await withService(stage, MIXED, async (service) => {
    const saturation = await measureClosed(stage, service, MIXED);
    const half = Math.max(50, Math.round(saturation.perSecond / 2));
    stage.say(`the mix saturates at ${showNumber(saturation.perSecond)}/s; it is asked ${half}/s`);
    const seconds = stage.options.seconds * LENGTH;
    for (let round = 0; round < stage.options.rounds; round += 1) {
      // Both have the same rate of small baskets, so that the large ones are the only difference; the order alternates.
      const runs = [
        () => measureOpen(stage, service, SMALL, [steady(half * (1 - SHARE), seconds)], { seed: round }),
        () => measureOpen(stage, service, MIXED, [steady(half, seconds)], { seed: round }),
      ] as const;
      const first = await runs[round % 2 ? 1 : 0]();
      const second = await runs[round % 2 ? 0 : 1]();
      const [alone, among] = round % 2 ? [second, first] : [first, second];
      rounds.push({ alone, among });
      const shown = `p99 of 5 lines ${showNumber(p99(alone))} ms alone, ${showNumber(p99(among))} ms among`;
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
        { label: '200 lines', rounds: among, latencies: (round) => onlyPhase(round).accepted.large },
      ]),
    ],
    figures: { 'mixed.p99.ratio': rounds.map((round) => p99(round.among) / p99(round.alone)) },
    notes: [],
    raw: { rate, rounds },
  };
}

/** Of the small baskets. */
function p99(run: OpenMeasurement): number {
  return percentileMs(onlyPhase(run).accepted.basket, 99);
}
