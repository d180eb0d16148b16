import type { Mix } from '../load/mix.ts';
import { processCount } from '../machine/accounting.ts';
import { disturbedRounds, type Entrant, ratios } from './rounds.ts';
import { saturate } from './saturate.ts';
import { cleanCpuUs, saturationTable } from './saturation.ts';
import type { Scenario, ScenarioReport, Stage } from './scenario.ts';

const MIX: Mix = { lines: 20, members: 'many' };

const ENTRANTS: readonly Entrant[] = [
  { label: 'one front end', name: 'service', options: { env: { PROCESSES: '1' } } },
  { label: 'two front ends', name: 'service', options: { env: { PROCESSES: '2' } }, processes: 2 },
];

const NOTHING: ScenarioReport = { tables: [], figures: {}, pictures: [], notes: [], raw: {} };

/** Shows whether a second process is worth its cost. */
export const frontEndsScenario: Scenario = {
  name: 'front-ends',
  about: 'closed loop, 20 lines: the service with one and with two front-end processes (PROCESSES)',
  run: runFrontEnds,
};

async function runFrontEnds(stage: Stage): Promise<ScenarioReport> {
  const [one, two] = ENTRANTS as [Entrant, Entrant];
  let processes = 0;
  const results = await saturate(stage, ENTRANTS, MIX, (contestants) => {
    processes = processCount(contestants.get(two.label)?.pid ?? 0);
  });
  if (processes < 2) return { ...NOTHING, notes: [`With PROCESSES=2 the service ran ${processes} process.`] };
  return {
    tables: [saturationTable('front-ends: one process and two', results)],
    figures: {
      'front-ends.cpu.ratio': ratios(results, two.label, one.label, cleanCpuUs),
      'front-ends.speed.ratio': ratios(results, two.label, one.label, ({ perSecond }) => perSecond),
    },
    disturbedRounds: disturbedRounds(results),
    pictures: [],
    notes: [],
    raw: Object.fromEntries(results),
  };
}
