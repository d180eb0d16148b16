import { CONTESTANTS } from '../machine/contestant.ts';
import type { Finished, Table } from '../scenarios/scenario.ts';
import { type Circumstances, describeCircumstances } from './circumstances.ts';
import type { Figures } from './goals.ts';
import { median, showNumber } from './spread.ts';

/** What a visitor reads at the end: one table of the contestants beside each other, and one paragraph of what it says. */

/** Columns of the table: the scenario, the number of its table, the column there, and its head here. */
const COLUMNS = [
  ['lines-20', 0, 'requests/s', 'calls/s, as fast as it can'],
  ['lines-20', 0, 'CPU µs/request', 'CPU µs/first call'],
  ['lines-20', 0, '× JSON.parse', '× JSON.parse'],
  ['replay-20', 1, 'CPU µs/request', 'CPU µs/replay'],
  ['latency', 0, 'p50 ms', 'p50 ms'],
  ['latency', 0, 'p99 ms', 'p99 ms'],
  ['latency', 0, 'p99.9 ms', 'p99.9 ms'],
] as const;

/** A row for each contestant. A cell is `–` where its scenario did not run, or the contestant took no part in it. */
export function visitTable(finished: readonly Finished[]): Table {
  const cellOf = (contestant: string, [scenario, table, column]: (typeof COLUMNS)[number]): string => {
    const found = finished.find((each) => each.scenario.name === scenario)?.report.tables[table];
    const row = found?.rows.find(([name]) => name === contestant);
    return row?.[found?.head.indexOf(column) ?? -1] ?? '–';
  };
  const labels = new Set(finished.flatMap(({ report }) => report.tables[0]?.rows.map(([label]) => label)));
  return {
    title:
      'The contestants beside each other, baskets of 20 lines; milliseconds at half of what each takes (median, least … most)',
    head: ['', ...COLUMNS.map(([, , , head]) => head)],
    rows: CONTESTANTS.filter((name) => labels.has(name)).map((name) => [
      name,
      ...COLUMNS.map((column) => cellOf(name, column)),
    ]),
  };
}

/** What the run says, in one paragraph, with the commit, the machine and the command. */
export function visitParagraph(around: Circumstances, { values, disturbed }: Figures): string {
  const of = (figure: string, times = 1) => showNumber(median(values[figure] ?? []) * times);
  const [, machine = ''] = describeCircumstances(around);
  const noise =
    disturbed.size === 0
      ? ''
      : ' The machine stood still, or served others, in some rounds: they are marked in the report.';
  return (
    `At commit ${around.commit}, on ${machine}, a first call of 20 lines cost the service ${of('lines-20.cpu.service/floor')} times the CPU of the floor, ` +
    `which decides nothing, and Fastify ${of('lines-20.cpu.fastify/service')} times that of the service. A replay cost ${of('replay-20.cpu.ratio')} of its first call. ` +
    `At half of what it takes, the service answered 99 of 100 calls within ${of('latency.own.p99')} ms and 999 of 1,000 within ${of('latency.own.p999')} ms, counted from the instant at which each was due. ` +
    `With three times as many calls as it takes, it still answered ${of('overload.goodput', 100)} % of what it takes, ` +
    `99 of 100 of them within ${of('overload.accepted.p99')} ms, refused the others within ${of('overload.refused.p99')} ms, and was itself again after ${of('overload.recoveryMs')} ms. ` +
    `Everything shared the machine's cores, the load generator included; ratios say the same on another machine, milliseconds do not.${noise} ` +
    'Again: npm run bench.'
  );
}
