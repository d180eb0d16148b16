import type { Finished } from '../scenarios/scenario.ts';
import { type Circumstances, describeCircumstances } from './circumstances.ts';
import type { Figures } from './goals.ts';
import { median, showNumber } from './spread.ts';
import type { Table } from './table.ts';

/** What a visitor reads at the end: one table of the contestants beside each other, and one paragraph of what it says. */

/** Columns of the table, taken from the tables of the scenarios. */
const COLUMNS: readonly {
  readonly scenario: string;
  readonly table: number;
  readonly from: string;
  readonly as: string;
}[] = [
  { scenario: 'lines-20', table: 0, from: 'requests/s', as: 'calls/s, as fast as it can' },
  { scenario: 'lines-20', table: 0, from: 'CPU µs/request', as: 'CPU µs/first call' },
  { scenario: 'lines-20', table: 0, from: '× JSON.parse', as: '× JSON.parse' },
  { scenario: 'replay-20', table: 1, from: 'CPU µs/request', as: 'CPU µs/replay' },
  { scenario: 'latency', table: 0, from: 'p50 ms', as: 'p50 ms' },
  { scenario: 'latency', table: 0, from: 'p99 ms', as: 'p99 ms' },
  { scenario: 'latency', table: 0, from: 'p99.9 ms', as: 'p99.9 ms' },
];

/** A row for each contestant. A cell is `–` where its scenario did not run, or the contestant took no part in it. */
export function visitTable(finished: readonly Finished[]): Table {
  const labels = [
    ...new Set(finished.flatMap(({ report }) => (report.tables[0]?.rows ?? []).map(([label = '']) => label))),
  ];
  const contestants = labels.filter((label) => ['service', 'floor', 'fastify', 'express'].includes(label));
  const cellOf = (label: string, { scenario, table, from }: (typeof COLUMNS)[number]): string => {
    const found = finished.find((each) => each.scenario.name === scenario)?.report.tables[table];
    const row = found?.rows.find(([name]) => name === label);
    return row?.[found?.head.indexOf(from) ?? -1] ?? '–';
  };
  return {
    title:
      'The contestants beside each other, baskets of 20 lines; milliseconds at half of what each takes (median, least … most)',
    head: ['', ...COLUMNS.map(({ as }) => as)],
    rows: contestants.map((label) => [label, ...COLUMNS.map((column) => cellOf(label, column))]),
  };
}

/** What the run says, in one paragraph, with the commit, the machine and the command. */
export function visitParagraph(around: Circumstances, { values, disturbed }: Figures): string {
  const of = (figure: string) => showNumber(median(values[figure] ?? []));
  const [, machine = ''] = describeCircumstances(around);
  const noise =
    disturbed.size === 0
      ? ''
      : ' The machine stood still, or served others, in some rounds: they are marked in the report.';
  return (
    `At commit ${around.commit}, on ${machine}, a first call of 20 lines cost the service ${of('lines-20.cpu.service/floor')} times the CPU of the floor, ` +
    `which decides nothing, and Fastify ${of('lines-20.cpu.fastify/service')} times that of the service. A replay cost ${of('replay-20.cpu.ratio')} of its first call. ` +
    `At half of what it takes, the service answered 99 of 100 calls within ${of('latency.own.p99')} ms and 999 of 1,000 within ${of('latency.own.p999')} ms, counted from the instant at which each was due. ` +
    `With three times as many calls as it takes, it still answered ${percent(values['overload.goodput'])} of what it takes, ` +
    `99 of 100 of them within ${of('overload.accepted.p99')} ms, refused the others within ${of('overload.refused.p99')} ms, and was itself again after ${of('overload.recoveryMs')} ms. ` +
    `Everything shared the machine's cores, the load generator included; ratios say the same on another machine, milliseconds do not.${noise} ` +
    'Again: npm run bench.'
  );
}

function percent(values: readonly number[] | undefined): string {
  return `${showNumber(median(values ?? []) * 100)} %`;
}
