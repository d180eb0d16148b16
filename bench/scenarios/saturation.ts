import type { Mix } from '../load/mix.ts';
import { CONTESTANTS, type ContestantName } from '../machine/contestant.ts';
import { barPicture } from '../report/bars.ts';
import { showNumber, showSpread } from '../report/spread.ts';
import type { Table } from '../report/table.ts';
import { disturbedRounds, entrantsOf, type Results, ratios } from './rounds.ts';
import { saturate } from './saturate.ts';
import type { ClosedMeasurement, Scenario, ScenarioReport, Stage } from './scenario.ts';

const MEGABYTE = 1024 * 1024;
const MAX_FAULT_SHARE = 0.001;

/** Creates a scenario that measures each contestant's throughput of a mix and its cost per request. */
export function saturationScenario(
  name: string,
  about: string,
  mix: Mix,
  names: readonly ContestantName[] = CONTESTANTS,
): Scenario {
  return { name, about, run: (stage) => runSaturation(stage, name, mix, names) };
}

async function runSaturation(
  stage: Stage,
  name: string,
  mix: Mix,
  names: readonly ContestantName[],
): Promise<ScenarioReport> {
  const results = await saturate(stage, entrantsOf(stage, names), mix);
  const service = (results.get('service') ?? []).filter(isClean);
  return {
    tables: [saturationTable(`${name}: saturation with ${stage.options.connections} connections`, results)],
    figures: {
      [`${name}.cpu.service/floor`]: ratios(results, 'service', 'floor', cleanCpuUs),
      [`${name}.cpu.fastify/service`]: ratios(results, 'fastify', 'service', cleanCpuUs),
      [`${name}.cpu.express/service`]: ratios(results, 'express', 'service', cleanCpuUs),
      [`${name}.cpu.service/parse`]: service.map(({ cpu }) => cpu.contestantUs / cpu.parseUs),
      [`${name}.redis.cpuUs`]: service.map(({ cpu }) => cpu.redisUs),
      [`${name}.redis.cpu/parse`]: service.map(({ cpu }) => cpu.redisUs / cpu.parseUs),
      [`${name}.faults`]: [...results.values()].flat().map(faultsOf),
    },
    disturbedRounds: disturbedRounds(results),
    pictures: [
      barPicture(
        `${name}-cpu`,
        `CPU per request, ${name} (median round)`,
        'µs',
        [...results].flatMap(([label, rounds]) => {
          const clean = rounds.filter(isClean);
          if (clean.length === 0) return [];
          const { contestantUs, redisUs } = medianRound(clean).cpu;
          return [{ label, parts: { process: contestantUs, redis: redisUs } }];
        }),
      ),
    ],
    notes: [],
    raw: Object.fromEntries(results),
  };
}

/** Lists calls per second and CPU per call of every contestant: the median of the rounds, with least and most. */
export function saturationTable(title: string, results: Results<ClosedMeasurement>): Table {
  return {
    title,
    head: [
      '',
      'requests/s',
      'CPU µs/request',
      '× JSON.parse',
      'Redis µs',
      'generator µs',
      'p50 ms',
      'p99 ms',
      'memory MB',
      'not 200',
    ],
    rows: [...results].map(([label, rounds]) => [
      label,
      showSpread(rounds.map(({ perSecond }) => perSecond)),
      showSpread(rounds.map(cleanCpuUs)),
      showSpread(rounds.map((round) => cleanCpuUs(round) / round.cpu.parseUs)),
      showSpread(rounds.map(({ cpu }) => cpu.redisUs)),
      showSpread(rounds.map(({ cpu }) => cpu.generatorUs)),
      showSpread(rounds.map(({ latencyMs }) => latencyMs.p50)),
      showSpread(rounds.map(({ latencyMs }) => latencyMs.p99)),
      showSpread(rounds.map(({ residentBytes }) => residentBytes / MEGABYTE)),
      showNumber(rounds.reduce((sum, round) => sum + faultsOf(round), 0)),
    ]),
  };
}

/** CPU per request. NaN when more than a few requests failed, because a refusal costs next to nothing. */
export function cleanCpuUs(measured: ClosedMeasurement): number {
  return isClean(measured) ? measured.cpu.contestantUs : Number.NaN;
}

function isClean(measured: ClosedMeasurement): boolean {
  return faultsOf(measured) <= measured.requests * MAX_FAULT_SHARE;
}

/** Counts the requests without a 200. */
export function faultsOf({ requests, statuses, faults }: ClosedMeasurement): number {
  return requests - (statuses['200'] ?? 0) + faults;
}

function medianRound(rounds: readonly ClosedMeasurement[]): ClosedMeasurement {
  const sorted = [...rounds].sort((a, b) => a.cpu.contestantUs - b.cpu.contestantUs);
  return sorted[Math.floor(sorted.length / 2)] as ClosedMeasurement;
}
