import type { Finished, Table } from '../scenarios/scenario.ts';
import { median, showNumber, showSpread } from './spread.ts';

export interface Goal {
  readonly what: string;
  /** Name of the figure that decides, as in the scenarios. It begins with the name of the scenario that measures it. */
  readonly figure: string;
  readonly bound: 'at most' | 'at least';
  readonly value: number;
  readonly unit: string;
}

/**
 * The service's goals, for baskets of 20 lines by default. The median of the rounds decides. docs/performance.md lists all of
 * them with what was measured last.
 */
export const GOALS: readonly Goal[] = [
  atMost(1.15, 'lines-20.cpu.service/floor', 'CPU per first call, service ÷ floor'),
  atLeast(1.6, 'lines-20.cpu.fastify/service', 'CPU per first call, Fastify ÷ service'),
  atLeast(2, 'lines-20.cpu.express/service', 'CPU per first call, Express ÷ service'),
  atMost(0.7, 'replay-20.cpu.ratio', 'CPU, replay ÷ first call'),
  atMost(1, 'replay-20.cpu.service/fastify', 'CPU per replay, service ÷ Fastify'),
  atMost(1, 'latency.p99.service/fastify', 'p99 at one rate, service ÷ Fastify'),
  atMost(1, 'latency.p999.service/fastify', 'p99.9 at one rate, service ÷ Fastify'),
  atMost(1.3, 'latency.p99.service/floor', 'p99 at one rate, service ÷ floor'),
  atMost(1.3, 'latency.p999.service/floor', 'p99.9 at one rate, service ÷ floor'),
  atMost(75, 'lines-20.redis.cpuUs', 'Redis: CPU per first call', 'µs'),
  atMost(2, 'redis.roundTrips', 'Redis: round trips per first call, of which one writes'),
  atLeast(0.9, 'overload.goodput', '3 × saturation: goodput ÷ saturation'),
  atMost(30, 'overload.refused.p99', '3 × saturation: p99 of refusals', 'ms'),
  atMost(2, 'mixed.p99.ratio', 'p99 of 5 lines, with 10 % of 200 lines among them ÷ without'),
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

/** Collects the figures of all scenarios by name. */
export function figuresOf(finished: readonly Finished[]): Figures {
  const disturbed = finished.filter(({ report }) => (report.disturbedRounds ?? []).length > 0);
  return {
    values: Object.assign({}, ...finished.map(({ report }) => report.figures)),
    disturbed: new Set(disturbed.flatMap(({ report }) => Object.keys(report.figures))),
  };
}

/** Lists every goal with its measurement and whether it is met; a goal whose scenario did not run is marked. */
export function goalTable({ values, disturbed }: Figures): Table {
  return {
    title: 'goals: the median of the rounds decides (least … most in brackets; † the host stood still in a round)',
    head: ['what', 'goal', 'measured', ''],
    rows: GOALS.map((goal) => {
      const { what, figure, unit } = goal;
      const measured = values[figure] ?? [];
      const mark = disturbed.has(figure) ? ' †' : '';
      const verdict = measured.length === 0 ? 'not measured' : verdictOn(goal, median(measured));
      return [what, showBound(goal), `${showSpread(measured)} ${unit}`.trim() + mark, verdict];
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
