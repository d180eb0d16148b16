import { median, showNumber, showSpread } from './spread.ts';
import type { Table } from './table.ts';

export interface Goal {
  readonly what: string;
  /** Name of the figure that decides, as in the scenarios. */
  readonly figure: string;
  readonly bound: 'at most' | 'at least';
  readonly value: number;
  readonly unit: string;
}

/**
 * The service's goals, for baskets of 20 lines by default. The median of the rounds decides. docs/performance.md lists all of
 * them with what was measured last; a figure begins with the name of the scenario that measures it.
 */
export const GOALS: readonly Goal[] = [
  atMost(1.15, 'lines-20.cpu.service/floor', 'CPU per first call, service ÷ floor'),
  atLeast(1.6, 'lines-20.cpu.fastify/service', 'CPU per first call, Fastify ÷ service'),
  atLeast(2.5, 'lines-20.cpu.express/service', 'CPU per first call, Express ÷ service'),
  atMost(6.5, 'lines-20.cpu.service/parse', 'CPU per first call ÷ `JSON.parse` of its body'),
  atMost(2.5, 'lines-20.redis.cpu/parse', 'Redis: CPU per first call ÷ `JSON.parse` of its body'),
  atMost(2, 'mixed.p99.ratio', 'p99 of 5 lines, with 10 % of 200 lines among them ÷ without'),
  atMost(
    1.1,
    'bounded.p99.ratio',
    'p99 of 5 lines, with 10 % of baskets that are searched to the end ÷ searched not at all',
  ),
  atLeast(0.95, 'overload.goodput', '3 × saturation: goodput ÷ saturation'),
  atMost(150, 'overload.accepted.p95', '3 × saturation: p95 of accepted calls', 'ms'),
  atMost(250, 'overload.accepted.p99', '3 × saturation: p99 of accepted calls', 'ms'),
  atMost(30, 'overload.refused.p99', '3 × saturation: p99 of refusals', 'ms'),
  atMost(2000, 'overload.recoveryMs', '3 × saturation: normal again', 'ms'),
  atMost(1.1, 'overload.memory', '3 × saturation: memory after ÷ before'),
  atMost(0.08, 'refusals.401/call', 'CPU of a refusal ÷ of a call: wrong signature'),
  atMost(0.08, 'refusals.429/call', 'CPU of a refusal ÷ of a call: over the rate limit'),
  atMost(0.08, 'refusals.503/call', 'CPU of a refusal ÷ of a call: shed under overload'),
  atMost(5, 'latency.own.p99', 'p99 at half of our own saturation', 'ms'),
  atMost(10, 'latency.own.p999', 'p99.9 at half of our own saturation', 'ms'),
  atMost(1 / 3, 'latency.p999.service/fastify', 'p99.9 at half of the saturation of Fastify, service ÷ Fastify'),
  atMost(1.1, 'front-ends.cpu.ratio', 'CPU per call, two front ends ÷ one'),
  atMost(0.5, 'replay-20.cpu.ratio', 'CPU, replay ÷ first call, 20 lines'),
  atMost(0.25, 'replay-200.cpu.ratio', 'CPU, replay ÷ first call, 200 lines'),
  atMost(60, 'lines-20.redis.cpuUs', 'Redis: CPU per first call', 'µs'),
  atMost(1200, 'redis.memory', 'Redis: memory per stored answer, all keys', 'bytes'),
  atMost(2, 'redis.roundTrips', 'Redis: round trips per first call'),
  atMost(1.15, 'cluster.cpu.ratio', 'CPU per call on a Redis Cluster of three ÷ on one Redis'),
  atMost(50, 'cold-start.p99', 'p99 of the first hundred calls after a start', 'ms'),
  atMost(0, 'replacement.lost', 'calls lost while processes are replaced all the time'),
  atMost(1.02, 'changes.cpu.ratio', 'CPU per call, the changes named together ÷ before them'),
  atMost(1.05, 'soak.growth', '1,000,000 calls: memory ÷ that after the first tenth'),
];

function atMost(value: number, figure: string, what: string, unit = ''): Goal {
  return { what, figure, bound: 'at most', value, unit };
}

function atLeast(value: number, figure: string, what: string, unit = ''): Goal {
  return { what, figure, bound: 'at least', value, unit };
}

/** Figures of the rounds by name, and the names of those of which a round met a host that stood still. */
export interface Figures {
  readonly values: Readonly<Record<string, readonly number[]>>;
  readonly disturbed: ReadonlySet<string>;
}

/** Lists every goal with its measurement and whether it is met; a goal whose scenario did not run is marked. */
export function goalTable({ values, disturbed }: Figures): Table {
  return {
    title: 'goals: the median of the rounds decides (least … most in brackets; † the host stood still in a round)',
    head: ['what', 'goal', 'measured', ''],
    rows: GOALS.map((goal) => {
      const { what, figure, unit } = goal;
      const measured = values[figure] ?? [];
      const shown = `${showSpread(measured)} ${unit}`.trim();
      const mark = disturbed.has(figure) ? ' †' : '';
      const verdict = measured.length === 0 ? 'not measured' : verdictOn(goal, median(measured));
      return [what, showBound(goal), `${shown}${mark}`, verdict];
    }),
  };
}

/** The bound of a goal as the table and docs/performance.md show it. */
export function showBound({ bound, value, unit }: Goal): string {
  return `${bound === 'at most' ? '≤' : '≥'} ${showNumber(value)} ${unit}`.trim();
}

/** Decides whether a goal is kept; a figure that is no number is missed. */
export function verdictOn({ bound, value }: Goal, measured: number): 'kept' | 'missed' {
  return (bound === 'at most' ? measured <= value : measured >= value) ? 'kept' : 'missed';
}

/** The scenario that measures a goal: the first part of its figure's name. */
export function scenarioOf({ figure }: Goal): string {
  return figure.slice(0, figure.indexOf('.'));
}
