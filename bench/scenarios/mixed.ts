import type { Mix } from '../generator/mix.ts';
import { percentileMs, showNumber } from '../report/spread.ts';
import { latencyTable, onlyPhase } from './latency-table.ts';
import { measureClosed, measureSteady, type OpenMeasurement, perSecondOf } from './measure.ts';
import { withOne } from './rounds.ts';
import type { Scenario, ScenarioReport, Stage } from './scenario.ts';

const SHARE = 0.1;
const SMALL: Mix = { lines: 5 };
const MIXED: Mix = { ...SMALL, large: { share: SHARE, lines: 200 } };
const LENGTH = 2;
const LEAST_PER_SECOND = 50;

/** Shows whether a large basket delays the small ones behind it. */
export const mixedScenario: Scenario = {
  name: 'mixed',
  about:
    'open loop at half of saturation: 5-line baskets with one 200-line basket in ten among them, and as many without',
  run: runMixed,
};

async function runMixed(stage: Stage): Promise<ScenarioReport> {
  const { options, say } = stage;
  const [alone, among]: [OpenMeasurement[], OpenMeasurement[]] = [[], []];
  const rate = await withOne(stage, MIXED, async (service) => {
    const saturation = perSecondOf(await measureClosed(stage, service, MIXED));
    const half = Math.max(LEAST_PER_SECOND, Math.round(saturation / 2));
    say(`the mix saturates at ${showNumber(saturation)}/s; it is asked ${half}/s`);
    const seconds = options.seconds * LENGTH;
    // Both have the same rate of small baskets, so that the large ones are the only difference; the order alternates.
    const runs = [
      { mix: SMALL, perSecond: half * (1 - SHARE), measured: alone },
      { mix: MIXED, perSecond: half, measured: among },
    ];
    for (let round = 0; round < options.rounds; round += 1) {
      for (const { mix, perSecond, measured } of round % 2 === 0 ? runs : runs.toReversed()) {
        measured.push(await measureSteady(stage, service, mix, { perSecond, seconds, round }));
      }
      const shown = `p99 of 5 lines ${showNumber(p99(alone[round]!))} ms alone, ${showNumber(p99(among[round]!))} ms among`;
      say(`round ${round + 1} of ${options.rounds}: ${shown}`);
    }
    return half;
  });
  return {
    tables: [
      latencyTable(`mixed: ${rate}/s of the mix`, [
        { label: '5 lines alone', rounds: alone, latencies: (round) => onlyPhase(round).accepted.basket },
        { label: '5 lines among large', rounds: among, latencies: (round) => onlyPhase(round).accepted.basket },
        { label: '200 lines', rounds: among, latencies: (round) => onlyPhase(round).accepted.large },
      ]),
    ],
    figures: { 'mixed.p99.ratio': among.map((round, at) => p99(round) / p99(alone[at]!)) },
    raw: { rate, alone, among },
  };
}

/** Of the small baskets. */
function p99(run: OpenMeasurement): number {
  return percentileMs(onlyPhase(run).accepted.basket, 99);
}
