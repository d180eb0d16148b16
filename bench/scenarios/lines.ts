import { CONTESTANTS } from '../machine/contestant.ts';
import { showNumber, showSpread } from '../report/spread.ts';
import { type ClosedMeasurement, measureClosed, perSecondOf } from './measure.ts';
import { disturbedRounds, inRounds, type Results, ratios } from './rounds.ts';
import type { Scenario, ScenarioReport, Stage, Table } from './scenario.ts';

/** Short enough that a disturbance of some seconds affects every contestant, long enough for thousands of calls. */
const TURN_SECONDS = 1;

export const MEGABYTE = 1024 * 1024;
const MAX_FAULT_SHARE = 0.001;

/** The scenario of baskets of so many lines: each contestant's throughput at saturation, and its cost per request. */
export function linesScenario(lines: number): Scenario {
  return {
    name: `lines-${lines}`,
    about: `closed loop, ${lines} lines, every call new`,
    run: (stage) => runLines(stage, lines),
  };
}

async function runLines(stage: Stage, lines: number): Promise<ScenarioReport> {
  const { seconds, connections } = stage.options;
  const name = `lines-${lines}`;
  const results = await inRounds(stage, {
    contestants: CONTESTANTS,
    mix: { lines },
    measure: (contestant) => measureClosed(stage, contestant, { lines }, { seconds: TURN_SECONDS }),
    show: (run) =>
      `${lines} lines: ${showNumber(perSecondOf(run))}/s, ${showNumber(perCall(run.contestantUs, run))} µs CPU`,
    turns: { count: Math.ceil(seconds / TURN_SECONDS), merge: mergeClosed },
  });
  const service = (results.get('service') ?? []).filter(isClean);
  return {
    tables: [saturationTable(`${name}: saturation with ${connections} connections`, results)],
    figures: {
      [`${name}.cpu.service/floor`]: ratios(results, 'service', 'floor', cleanCpuUs),
      [`${name}.cpu.fastify/service`]: ratios(results, 'fastify', 'service', cleanCpuUs),
      [`${name}.cpu.express/service`]: ratios(results, 'express', 'service', cleanCpuUs),
      [`${name}.cpu.service/parse`]: service.map(({ contestantUs, parseUs }) => contestantUs / parseUs),
      [`${name}.redis.cpuUs`]: service.map((run) => perCall(run.redisUs, run)),
      [`${name}.redis.cpu/parse`]: service.map(({ redisUs, parseUs }) => redisUs / parseUs),
      [`${name}.faults`]: [...results.values()].flat().map(faultsOf),
    },
    disturbedRounds: disturbedRounds(results),
    raw: Object.fromEntries(results),
  };
}

/** Merges several runs: counts and times are summed; of percentiles and memory the worst value is kept. */
function mergeClosed(runs: readonly ClosedMeasurement[]): ClosedMeasurement {
  const total = (figure: (run: ClosedMeasurement) => number): number => runs.reduce((sum, run) => sum + figure(run), 0);
  const worst = (figure: (run: ClosedMeasurement) => number): number => Math.max(...runs.map(figure));
  return {
    seconds: total((run) => run.seconds),
    requests: total((run) => run.requests),
    accepted: total((run) => run.accepted),
    refused: total((run) => run.refused),
    faults: total((run) => run.faults),
    contestantUs: total((run) => run.contestantUs),
    redisUs: total((run) => run.redisUs),
    generatorUs: total((run) => run.generatorUs),
    parseUs: total((run) => run.parseUs),
    p50Ms: worst((run) => run.p50Ms),
    p99Ms: worst((run) => run.p99Ms),
    residentBytes: worst((run) => run.residentBytes),
    isDisturbed: runs.some(({ isDisturbed }) => isDisturbed),
  };
}

/** Lists calls per second and CPU per call of every contestant: the median of the rounds, with least and most. */
export function saturationTable(title: string, results: Results<ClosedMeasurement>): Table {
  const columns: Readonly<Record<string, (run: ClosedMeasurement) => number>> = {
    'requests/s': perSecondOf,
    'CPU µs/request': cleanCpuUs,
    '× JSON.parse': (run) => cleanCpuUs(run) / perCall(run.parseUs, run),
    'Redis µs': (run) => perCall(run.redisUs, run),
    'generator µs': (run) => perCall(run.generatorUs, run),
    'p50 ms': (run) => run.p50Ms,
    'p99 ms': (run) => run.p99Ms,
    'memory MB': (run) => run.residentBytes / MEGABYTE,
  };
  return {
    title,
    head: ['', ...Object.keys(columns), 'not 200'],
    rows: [...results].map(([label, rounds]) => [
      label,
      ...Object.values(columns).map((figure) => showSpread(rounds.map(figure))),
      showNumber(rounds.reduce((sum, round) => sum + faultsOf(round), 0)),
    ]),
  };
}

/** CPU per request. NaN when more than a few requests failed, because a refusal costs next to nothing. */
export function cleanCpuUs(run: ClosedMeasurement): number {
  return isClean(run) ? perCall(run.contestantUs, run) : Number.NaN;
}

function perCall(us: number, { requests }: ClosedMeasurement): number {
  return us / requests;
}

function isClean(run: ClosedMeasurement): boolean {
  return faultsOf(run) <= run.requests * MAX_FAULT_SHARE;
}

/** Counts the requests without a 200. */
export function faultsOf({ requests, accepted, faults }: ClosedMeasurement): number {
  return requests - accepted + faults;
}
