import { renderTable } from '../terminal/table.ts';
import { type Latencies, percentileUs } from './latencies.ts';
import type { Tally } from './tally.ts';

/** The report of a load, as tables of plain text. */

const PERCENTILES = [50, 90, 95, 99, 99.9, 99.99];

/** Renders what callers met, the percentiles of both clocks, and what makes the figures doubtful. */
export function renderReport(tally: Tally, seconds: number): string {
  const { rows } = tally;
  const answers = rows.map(({ name, isSale, latencies }) => [
    name,
    latencies.count,
    showShare(latencies.count, countCalls(rows, isSale)),
    (latencies.count / seconds).toFixed(1),
    atMs(latencies, 50),
    atMs(latencies, 99),
    atMs(latencies, 100),
  ]);
  const [caller, server] = [tally.caller.summarize(), tally.server.summarize()];
  const percentiles = PERCENTILES.filter((percentile) => hasPercentile(caller, percentile)).map((percentile) => [
    `p${percentile}`,
    atMs(caller, percentile),
    atMs(server, percentile),
  ]);
  return [
    renderTable(['answer', 'number', 'share', 'per second', 'p50 ms', 'p99 ms', 'slowest ms'], answers, isNumber),
    '\nBasket calls answered 200, or given up: the time of the caller beside Server-Timing, in milliseconds\n\n',
    renderTable(
      ['percentile', 'caller', 'service'],
      [...percentiles, ['slowest', atMs(caller, 100), atMs(server, 100)], ['calls', caller.count, server.count]],
      isNumber,
    ),
    ...[...describeCallers(tally), ...notes(tally)].map((note) => `\n${note}\n`),
  ].join('');
}

/** What the caller's percentiles contain besides calls answered 200, and what they leave out. */
export function describeCallers({ rows, givenUp, caller }: Tally): string[] {
  const baskets = countCalls(rows, false);
  const leftOut = baskets - caller.summarize().count;
  const some = (count: number): string => `${count} of ${baskets} basket calls (${showShare(count, baskets)})`;
  const lines: string[] = [];
  if (givenUp > 0) {
    lines.push(`${some(givenUp)} were given up without an answer, and count with the time they had waited.`);
  }
  if (leftOut > 0) lines.push(`${some(leftOut)} had another answer or failed, and are not in the percentiles.`);
  return lines;
}

/** True when callers met nothing but answers that the contract provides for a healthy or a busy service. */
export function isClean(tally: Tally): boolean {
  return tally.wrong.size === 0 && tally.rows.every(({ name }) => /^(?:sale )?(?:200|429|503)\b/.test(name));
}

/** Below this the generator's own delay does not show in a percentile that anybody quotes. */
const NOTABLE_DELAY_US = 5000;

function notes({ delay, rows, wrong }: Tally): string[] {
  const lines = [...wrong].map(([detail, count]) => `WRONG ANSWERS: ${count} of those checked: ${detail}`);
  if (rows.some(({ name }) => name.endsWith('429 rate_limited'))) {
    lines.push('429 rate_limited: the environment permits fewer calls a second; see `rateLimit` in its configuration.');
  }
  const lateUs = percentileUs(delay.summarize(), 99);
  if (lateUs > NOTABLE_DELAY_US) {
    lines.push(
      `This program was late itself: it noticed one call in a hundred ${showMs(lateUs)} ms after it was due or later. The latencies contain that; run it on another machine, or with a lower rate.`,
    );
  }
  return lines;
}

/** The number of calls: sale events, or baskets. */
function countCalls(rows: Tally['rows'], ofSales: boolean): number {
  return rows.reduce((sum, { isSale, latencies }) => sum + (isSale === ofSales ? latencies.count : 0), 0);
}

function showShare(count: number, total: number): string {
  return `${((count / total) * 100).toFixed(2)} %`;
}

const isNumber = (column: number): boolean => column > 0;

/** A percentile finer than one call has no meaning. */
function hasPercentile({ count }: Latencies, percentile: number): boolean {
  return count > 0 && percentile <= 100 - 100 / count + 1e-9;
}

function atMs(latencies: Latencies, percentile: number): string {
  return latencies.count === 0 ? '–' : showMs(percentileUs(latencies, percentile));
}

function showMs(us: number): string {
  return (us / 1000).toFixed(us < 100_000 ? 2 : 0);
}
