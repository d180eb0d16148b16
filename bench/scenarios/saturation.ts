import { CONTESTANTS } from '../machine/contestant.ts';
import { showNumber, showSpread } from '../report/spread.ts';
import type { Table } from '../report/table.ts';
import { chosenOf, disturbedRounds, type Results, ratios } from './rounds.ts';
import { saturate } from './saturate.ts';
import type { ClosedMeasurement, Scenario, ScenarioReport, Stage } from './scenario.ts';

const MEGABYTE = 1024 * 1024;
const MAX_FAULT_SHARE = 0.001;

/** Creates the scenario of baskets of so many lines: each contestant's throughput, and its cost per request. */
export function saturationScenario(lines: number): Scenario {
  const name = `lines-${lines}`;
  return {
    name,
    about: `closed loop, ${lines} lines, every call new`,
    run: (stage) => runSaturation(stage, name, lines),
  };
}

async function runSaturation(stage: Stage, name: string, lines: number): Promise<ScenarioReport> {
  const results = await saturate(stage, chosenOf(stage, CONTESTANTS), { lines });
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
function faultsOf({ requests, statuses, faults }: ClosedMeasurement): number {
  return requests - (statuses['200'] ?? 0) + faults;
}
