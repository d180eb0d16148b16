import { showNumber, showSpread, type WorseEnd, worst } from './spread.ts';
import type { Table } from './table.ts';

interface Goal {
  readonly what: string;
  /** Name of the figure that decides, as in the scenarios. */
  readonly figure: string;
  readonly bound: 'at most' | 'at least';
  readonly value: number;
  readonly unit?: string;
}

/** The service's goals, for baskets of 20 lines by default. The worse end of the rounds decides. */
export const GOALS: readonly Goal[] = [
  { what: 'CPU per basket call, service ÷ floor', figure: 'lines-20.cpu.service/floor', bound: 'at most', value: 1.25 },
  {
    what: 'CPU per basket call, Fastify ÷ service',
    figure: 'lines-20.cpu.fastify/service',
    bound: 'at least',
    value: 2,
  },
  {
    what: 'CPU per basket call, Express ÷ service',
    figure: 'lines-20.cpu.express/service',
    bound: 'at least',
    value: 2.5,
  },
  {
    what: 'p99.9 at half of the saturation of Fastify, service ÷ Fastify',
    figure: 'latency.p999.service/fastify',
    bound: 'at most',
    value: 1 / 3,
  },
  { what: 'p99 at 2,000 calls/s', figure: 'steady.p99', bound: 'at most', value: 10, unit: 'ms' },
  { what: 'p99.9 at 2,000 calls/s', figure: 'steady.p999', bound: 'at most', value: 25, unit: 'ms' },
  { what: 'errors at 2,000 calls/s', figure: 'steady.failures', bound: 'at most', value: 0 },
  {
    what: 'p99 of 5 lines, with 10 % of 200 lines among them ÷ without',
    figure: 'mixed.p99.ratio',
    bound: 'at most',
    value: 1.5,
  },
  { what: '3 × saturation: goodput ÷ saturation', figure: 'overload.goodput', bound: 'at least', value: 0.9 },
  {
    what: '3 × saturation: p95 of accepted calls',
    figure: 'overload.accepted.p95',
    bound: 'at most',
    value: 150,
    unit: 'ms',
  },
  {
    what: '3 × saturation: p99 of accepted calls',
    figure: 'overload.accepted.p99',
    bound: 'at most',
    value: 250,
    unit: 'ms',
  },
  { what: '3 × saturation: p99 of refusals', figure: 'overload.refused.p99', bound: 'at most', value: 20, unit: 'ms' },
  { what: '3 × saturation: normal again', figure: 'overload.recoveryMs', bound: 'at most', value: 2000, unit: 'ms' },
  { what: '3 × saturation: memory after ÷ before', figure: 'overload.memory', bound: 'at most', value: 1.1 },
  { what: 'CPU per call, two front ends ÷ one', figure: 'front-ends.cpu.ratio', bound: 'at most', value: 1.1 },
  { what: 'CPU, replay ÷ first call, 200 lines', figure: 'replay.cpu.ratio', bound: 'at most', value: 0.25 },
  {
    what: 'Redis memory per stored answer, all keys',
    figure: 'redis.memory',
    bound: 'at most',
    value: 1600,
    unit: 'bytes',
  },
  { what: 'Redis round trips per first call', figure: 'redis.roundTrips', bound: 'at most', value: 3 },
  { what: 'Redis CPU per first call', figure: 'lines-20.redis.cpuUs', bound: 'at most', value: 60, unit: 'µs' },
  {
    what: '1,000,000 calls: memory ÷ that after the first tenth',
    figure: 'soak.growth',
    bound: 'at most',
    value: 1.05,
  },
];

/** Lists every goal with its measurement and whether it is met; a goal whose scenario did not run is marked. */
export function goalTable(figures: Readonly<Record<string, readonly number[]>>): Table {
  return {
    title: 'goals: the worse end of the rounds decides (best … worst in brackets)',
    head: ['what', 'goal', 'measured', 'met'],
    rows: GOALS.map((goal) => {
      const { what, figure, bound, value, unit = '' } = goal;
      const measured = figures[figure] ?? [];
      const worse: WorseEnd = bound === 'at most' ? 'high' : 'low';
      const sign = bound === 'at most' ? '≤' : '≥';
      const shown = `${showSpread(measured, worse)} ${unit}`.trim();
      return [what, `${sign} ${showNumber(value)} ${unit}`.trim(), shown, verdict(goal, measured, worse)];
    }),
  };
}

function verdict({ bound, value }: Goal, measured: readonly number[], worse: WorseEnd): string {
  if (measured.length === 0) return 'not measured';
  const decisive = worst(measured, worse);
  return (bound === 'at most' ? decisive <= value : decisive >= value) ? 'yes' : 'NO';
}
