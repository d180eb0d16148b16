import type { Mix } from '../load/mix.ts';
import { treeCpuTimeUs } from '../machine/accounting.ts';
import type { Contestant } from '../machine/contestant.ts';
import { type HostNoise, watchHost } from '../machine/host-watch.ts';
import { parseCostUs } from '../machine/parse-cost.ts';
import { ACCEPTED, createKinds, type Kind } from '../refusals/kinds.ts';
import { type Crowd, runLoop } from '../refusals/loop.ts';
import { showNumber, showSpread } from '../report/spread.ts';
import { disturbedRounds, type Entrant, withContestants } from './rounds.ts';
import type { Scenario, ScenarioReport, Stage } from './scenario.ts';

const MIX: Mix = { lines: 20, members: 'many' };
const WARM_UP_MS = 1000;
/** The most answers of another kind, as a share: on a busy machine some calls miss their deadline. */
const MOST_STRANGERS = 0.05;

const ENTRANTS: readonly Entrant[] = [
  { label: 'open', name: 'service' },
  { label: 'limited', name: 'service', options: { rateLimit: { sustained: 1, burst: 1 } } },
  { label: 'full', name: 'service', options: { p95: 1 } },
];

/** Shows that refusing is cheap: an attacker must not buy much of the service's time with little of his own. */
export const refusalsScenario: Scenario = {
  name: 'refusals',
  about: 'closed loop, 20 lines, two secrets: CPU of every kind of refused call beside that of an answered one',
  run: runRefusals,
};

interface Turn {
  readonly cpuUs: number;
  readonly parseUs: number;
  readonly host: HostNoise;
}

async function runRefusals(stage: Stage): Promise<ScenarioReport> {
  const kinds = createKinds(MIX.lines);
  const results = new Map<string, Turn[]>(kinds.map(({ name }) => [name, []]));
  for (let round = 0; round < stage.options.rounds; round += 1) {
    await withContestants(stage, ENTRANTS, MIX, (services) => runRound(stage, kinds, services, results));
    stage.say(
      `round ${round + 1} of ${stage.options.rounds}: ${kinds.map((kind) => showLast(kind, results)).join(', ')}`,
    );
  }
  const accepted = results.get(ACCEPTED) ?? [];
  const shares = (turns: readonly Turn[]): number[] =>
    turns.map(({ cpuUs }, round) => cpuUs / (accepted[round]?.cpuUs ?? Number.NaN));
  return {
    tables: [
      {
        title: 'refusals: CPU of the service',
        head: ['', 'CPU µs/request', '÷ accepted', '× JSON.parse'],
        rows: [...results].map(([name, turns]) => [
          name,
          showSpread(turns.map(({ cpuUs }) => cpuUs)),
          showSpread(shares(turns)),
          showSpread(turns.map(({ cpuUs, parseUs }) => cpuUs / parseUs)),
        ]),
      },
    ],
    figures: {
      'refusals.401/call': shares(results.get('401 another secret') ?? []),
      'refusals.429/call': shares(results.get('429 rate limit') ?? []),
      'refusals.503/call': shares(results.get('503 shed') ?? []),
    },
    disturbedRounds: disturbedRounds(results),
    pictures: [],
    notes: [],
    raw: Object.fromEntries(results),
  };
}

async function runRound(
  stage: Stage,
  kinds: readonly Kind[],
  services: ReadonlyMap<string, Contestant>,
  results: ReadonlyMap<string, Turn[]>,
): Promise<void> {
  for (const kind of kinds) {
    const service = services.get(kind.service) as Contestant;
    await runLoop(crowdOf(kind, service), WARM_UP_MS, kind.requests(service.secret));
    const acceptedUs = results.get(ACCEPTED)?.at(-1)?.cpuUs ?? 0;
    results.get(kind.name)?.push(await measure(kind, service, stage.options.seconds * 1000, acceptedUs));
  }
}

/** CPU-µs of the service per call of a kind. Accepted calls among refused ones are taken off at their own price. */
async function measure(kind: Kind, service: Contestant, durationMs: number, acceptedUs: number): Promise<Turn> {
  const watch = watchHost();
  const before = treeCpuTimeUs(service.pid);
  const statuses = await runLoop(crowdOf(kind, service), durationMs, kind.requests(service.secret));
  const spentUs = treeCpuTimeUs(service.pid) - before;
  const host = watch.end();
  const count = statuses.get(kind.status) ?? 0;
  const accepted = kind.status === '200' ? 0 : (statuses.get('200') ?? 0);
  const strangers = [...statuses.values()].reduce((sum, times) => sum + times, 0) - count - accepted;
  if (strangers > count * MOST_STRANGERS) throw new Error(`${kind.name} was answered ${JSON.stringify([...statuses])}`);
  return { cpuUs: (spentUs - accepted * acceptedUs) / count, parseUs: parseCostUs(MIX.lines), host };
}

function crowdOf({ connections }: Kind, { url }: Contestant): Crowd {
  return { url, connections };
}

function showLast({ name }: Kind, results: ReadonlyMap<string, readonly Turn[]>): string {
  return `${name} ${showNumber(results.get(name)?.at(-1)?.cpuUs ?? Number.NaN)} µs`;
}
