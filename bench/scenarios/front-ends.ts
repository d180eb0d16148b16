import type { Mix } from '../load/mix.ts';
import { processCount } from '../machine/accounting.ts';
import { showSpread } from '../report/spread.ts';
import { measureOpen, steady } from './measure.ts';
import { disturbedRounds, type Entrant, ratios, withContestants } from './rounds.ts';
import { saturate } from './saturate.ts';
import { cleanCpuUs, saturationTable } from './saturation.ts';
import type { Scenario, ScenarioReport, Stage } from './scenario.ts';

const MIX: Mix = { lines: 20, members: 'many' };

const ENTRANTS: readonly Entrant[] = [
  { label: 'one front end', name: 'service', options: { env: { PROCESSES: '1' } } },
  { label: 'two front ends', name: 'service', options: { env: { PROCESSES: '2' } }, processes: 2 },
];

const NOTHING: ScenarioReport = { tables: [], figures: {}, pictures: [], notes: [], raw: {} };

/** Calls a second of all processes together. A process that is half as busy wakes up for fewer calls at once. */
const RATES = [1200, 2400];

/** Shows whether a second process is worth its cost, and what a call costs by how busy its process is. */
export const frontEndsScenario: Scenario = {
  name: 'front-ends',
  about:
    'closed loop, 20 lines: the service with one and with two front-end processes (PROCESSES), then an open loop at two rates',
  run: runFrontEnds,
};

async function runFrontEnds(stage: Stage): Promise<ScenarioReport> {
  const [one, two] = ENTRANTS as [Entrant, Entrant];
  let processes = 0;
  const results = await saturate(stage, ENTRANTS, MIX, (contestants) => {
    processes = processCount(contestants.get(two.label)?.pid ?? 0);
  });
  if (processes < 2) return { ...NOTHING, notes: [`With PROCESSES=2 the service ran ${processes} process.`] };
  const byRate = await measureRates(stage);
  return {
    tables: [
      saturationTable('front-ends: one process and two', results),
      {
        title: 'front-ends: CPU µs per call by calls a second',
        head: ['calls/s', ...byRate.keys()],
        rows: RATES.map((rate, at) => [
          String(rate),
          ...[...byRate.values()].map((rates) => showSpread(rates[at] ?? [])),
        ]),
      },
    ],
    figures: {
      'front-ends.cpu.ratio': ratios(results, two.label, one.label, cleanCpuUs),
      'front-ends.speed.ratio': ratios(results, two.label, one.label, ({ perSecond }) => perSecond),
    },
    disturbedRounds: disturbedRounds(results),
    pictures: [],
    notes: [],
    raw: { ...Object.fromEntries(results), byRate: Object.fromEntries(byRate) },
  };
}

/** CPU µs per call of each entrant: a list of rounds for each rate. */
async function measureRates(stage: Stage): Promise<Map<string, number[][]>> {
  const measured = new Map(ENTRANTS.map(({ label }) => [label, RATES.map((): number[] => [])]));
  const { rounds, seconds } = stage.options;
  await withContestants(stage, ENTRANTS, MIX, async (contestants) => {
    for (let round = 0; round < rounds; round += 1) {
      for (const [at, rate] of RATES.entries()) {
        for (const [label, contestant] of contestants) {
          const { cpu } = await measureOpen(stage, contestant, MIX, [steady(rate, seconds)], { seed: round });
          measured.get(label)?.[at]?.push(cpu.contestantUs);
        }
      }
    }
  });
  return measured;
}
