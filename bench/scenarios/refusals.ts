import type { Mix } from '../load/mix.ts';
import { showNumber, showSpread } from '../report/spread.ts';
import { measureClosed } from './measure.ts';
import { disturbedRounds, type Entrant, inRounds } from './rounds.ts';
import { cleanCpuUs } from './saturation.ts';
import type { Scenario, ScenarioReport, Stage } from './scenario.ts';

const MIX: Mix = { lines: 20, members: 'many' };
const CALL = 'call';
const UNSIGNED = '401, a wrong signature';
const LIMITED = '429, over the rate limit';

const ENTRANTS: readonly Entrant[] = [
  { label: CALL, name: 'service' },
  { label: UNSIGNED, name: 'service' },
  { label: LIMITED, name: 'service', options: { rateLimit: { sustained: 1, burst: 1 } } },
];

/** Shows that refusing is cheap: an attacker must not buy much of the service's time with little of his own. */
export const refusalsScenario: Scenario = {
  name: 'refusals',
  about: 'closed loop, 20 lines: CPU of a refused call beside that of an answered one',
  run: runRefusals,
};

async function runRefusals(stage: Stage): Promise<ScenarioReport> {
  const results = await inRounds(
    stage,
    ENTRANTS,
    MIX,
    (contestant, label) => measureClosed(stage, contestant, { ...MIX, isSpoilt: label === UNSIGNED }),
    ({ cpu, perSecond }) => `${showNumber(perSecond)}/s with 200, ${showNumber(cpu.contestantUs)} µs CPU`,
  );
  const calls = (results.get(CALL) ?? []).map(cleanCpuUs);
  const ratiosOf = (label: string): number[] =>
    (results.get(label) ?? []).map(({ cpu }, round) => cpu.contestantUs / (calls[round] ?? Number.NaN));
  return {
    tables: [
      {
        title: 'refusals: CPU of the service',
        head: ['', 'CPU µs/request', '÷ call', 'Redis µs', 'answered with 200'],
        rows: [...results].map(([label, rounds]) => [
          label,
          showSpread(rounds.map(({ cpu }) => cpu.contestantUs)),
          showSpread(ratiosOf(label)),
          showSpread(rounds.map(({ cpu }) => cpu.redisUs)),
          showNumber(rounds.reduce((sum, { statuses }) => sum + (statuses['200'] ?? 0), 0)),
        ]),
      },
    ],
    figures: { 'refusals.401/call': ratiosOf(UNSIGNED), 'refusals.429/call': ratiosOf(LIMITED) },
    disturbedRounds: disturbedRounds(results),
    pictures: [],
    notes: [],
    raw: Object.fromEntries(results),
  };
}
