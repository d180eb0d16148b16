import type { Mix } from '../load/mix.ts';
import { removeFolder } from '../machine/cleanup.ts';
import { describeCommit, prepareFolder } from '../machine/version.ts';
import { showSpread } from '../report/spread.ts';
import { disturbedRounds, type Entrant, type Results, ratios } from './rounds.ts';
import { saturate } from './saturate.ts';
import { cleanCpuUs } from './saturation.ts';
import type { ClosedMeasurement, Scenario, ScenarioReport, Stage } from './scenario.ts';

const MIX: Mix = { lines: 20, members: 'many', withSales: true };
const BEFORE = 'before';
const AFTER = 'after';
const NOTHING: ScenarioReport = { tables: [], figures: {}, pictures: [], notes: [], raw: {} };

const MOST_CHARACTERS = 72;

/** A change with its measurements before and after. */
interface Measured {
  readonly change: string;
  readonly results: Results<ClosedMeasurement>;
}

/** Shows what changes of the history add to a call: each beside the version before it, on its own Redis, in turns of a second. */
export const changesScenario: Scenario = {
  name: 'changes',
  about: 'closed loop, 20 lines, baskets and sales: CPU of the commits of --changes beside that of their parents',
  isOnDemand: true,
  run: runChanges,
};

async function runChanges(stage: Stage): Promise<ScenarioReport> {
  const changes = stage.options.changes.map((commit) => [commit, describeCommit(commit)] as const);
  if (changes.length === 0) return { ...NOTHING, notes: ['Name the commits: --changes 1a2b3c4,5d6e7f8'] };
  const measured: Measured[] = [];
  for (const [commit, change] of changes) {
    stage.say(change);
    measured.push({ change, results: await measureChange(stage, commit) });
  }
  const each = measured.map(({ results }) => ratios(results, AFTER, BEFORE, cleanCpuUs));
  const together = Array.from({ length: stage.options.rounds }, (_, round) =>
    each.reduce((product, rounds) => product * (rounds[round] ?? Number.NaN), 1),
  );
  return {
    tables: [
      {
        title: 'changes: CPU µs/request of each, beside the version before it',
        head: ['change', 'before', 'after', 'after ÷ before'],
        rows: [
          ...measured.map(({ change, results }, at) => [
            change.length > MOST_CHARACTERS ? `${change.slice(0, MOST_CHARACTERS - 1)}…` : change,
            ...[BEFORE, AFTER].map((label) => showSpread((results.get(label) ?? []).map(cleanCpuUs))),
            showSpread(each[at] ?? []),
          ]),
          ['together', '', '', showSpread(together)],
        ],
      },
    ],
    figures: { 'changes.cpu.ratio': together },
    disturbedRounds: [...new Set(measured.flatMap(({ results }) => disturbedRounds(results)))].sort((a, b) => a - b),
    pictures: [],
    notes: ['Tracing is off, as it is without OTEL_EXPORTER_OTLP_ENDPOINT.'],
    raw: Object.fromEntries(measured.map(({ change, results }) => [change, Object.fromEntries(results)])),
  };
}

async function measureChange(stage: Stage, commit: string): Promise<Results<ClosedMeasurement>> {
  const places = [prepareFolder(`${commit}^`), prepareFolder(commit)];
  try {
    const entrants = places.map(
      (place, at): Entrant => ({ label: [BEFORE, AFTER][at]!, name: 'service', options: { place } }),
    );
    return await saturate(stage, entrants, MIX);
  } finally {
    for (const place of places) removeFolder(place);
  }
}
