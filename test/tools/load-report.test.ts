/** The figures of a load: none flatters the deployment, and none is mixed with another. */
import { expect, it } from 'vitest';
import { dueInstants, type Schedule } from '../../packages/tools/src/load/pacer.ts';
import { percentilePicture } from '../../packages/tools/src/load/picture.ts';
import { describeCallers, renderReport } from '../../packages/tools/src/load/report.ts';
import { type Ending, SALE_PREFIX, Tally } from '../../packages/tools/src/load/tally.ts';

const APPLIED = { name: '200 applied', kind: 'accepted' } as const;
const RECORDED = { name: '200 recorded', kind: 'accepted' } as const;
const BUSY = { name: '503 unavailable', kind: 'other' } as const;
const LATE = { name: 'no answer within 3 s', kind: 'givenUp' } as const;

/** A tally of so many calls, each of which ended after so many milliseconds. */
function tallyOf(...calls: [count: number, ending: Ending, ms: number, prefix?: typeof SALE_PREFIX][]): Tally {
  const tally = new Tally();
  for (const [count, ending, ms, prefix = ''] of calls) {
    for (let call = 0; call < count; call += 1) tally.end(tally.begin(prefix, 0), ending, ms * 1000);
  }
  return tally;
}

/** The cells of a row. */
function rowOf(report: string, name: string): string[] {
  const row = report.split('\n').find((line) => line.startsWith(`${name}  `)) ?? '';
  return row.slice(name.length).trim().split(/ {2,}/);
}

it('calls that were given up count with the time they had waited, in the percentiles and in the picture', () => {
  const tally = tallyOf([125, APPLIED, 12], [73, LATE, 3000]);
  const report = renderReport(tally, 10);
  const cells = ['p50', 'p90', 'slowest', 'calls'].map((name) => rowOf(report, name)[0]);
  expect(cells).toEqual(['12.01', '3000', '3000', '198']);
  expect(rowOf(report, 'p50')[1]).toBe('–');
  const told =
    '73 of 198 basket calls (36.87 %) were given up without an answer, and count with the time they had waited.';
  expect(report).toContain(`\n${told}\n`);
  expect(report).not.toContain('not in the percentiles');
  const curves = [{ label: 'caller', latencies: tally.caller.summarize() }];
  const picture = percentilePicture('', curves, describeCallers(tally));
  expect(picture).toContain(`<desc>caller: 198 calls, the slowest 3000.0 ms. ${told}</desc>`);
  expect(picture).toContain(`>${told}</text>`);
});

it('calls without an answer at the end count with all they had waited, and a basket that was answered not again for its sale', () => {
  const tally = tallyOf([1, APPLIED, 5]);
  const [sale, basket] = [tally.begin(SALE_PREFIX, 5000), tally.begin('', 1000)];
  expect(tally.open).toBe(2);
  tally.giveUp(10_001_000);
  expect(tally.open).toBe(0);
  // An answer that comes later changes nothing.
  for (const call of [basket, sale]) expect(tally.end(call, APPLIED, 11_000_000)).toBe(false);
  const report = renderReport(tally, 10);
  expect(rowOf(report, 'no answer at the end')).toEqual(['1', '50.00 %', '0.1', '10000', '10000', '10000']);
  expect(rowOf(report, 'sale no answer at the end')[0]).toBe('1');
  expect(rowOf(report, 'calls')).toEqual(['2', '0']);
  expect(report).toContain('1 of 2 basket calls (50.00 %) were given up');
});

it('a report has the shares of baskets and of sale events apart, and names the calls that its percentiles leave out', () => {
  const report = renderReport(tallyOf([3, APPLIED, 12], [1, BUSY, 1], [2, RECORDED, 4, SALE_PREFIX]), 1);
  const shares = ['200 applied', '503 unavailable', 'sale 200 recorded'].map((name) => rowOf(report, name)[1]);
  expect(shares).toEqual(['75.00 %', '25.00 %', '100.00 %']);
  expect(report).toContain(
    '\n1 of 4 basket calls (25.00 %) had another answer or failed, and are not in the percentiles.\n',
  );
});

it('a report prints the percentiles that it names, and a dash where no call has a time', () => {
  const report = renderReport(
    tallyOf(...Array.from({ length: 1000 }, (_, ms) => [1, APPLIED, ms + 1] as [1, Ending, number])),
    1,
  );
  const printed = ['p50', 'p90', 'p95', 'p99', 'p99.9'].map((name) => Math.round(Number(rowOf(report, name)[0])));
  expect(printed).toEqual([500, 900, 950, 990, 999]);
  expect(rowOf(renderReport(tallyOf([2, BUSY, 1]), 1), 'slowest')).toEqual(['–', '–']);
});

it('a schedule draws the calls of a day one by one, and every thread the same ones', () => {
  const day: Schedule = { parts: [{ perSecond: 100_000, seconds: 86_400 }], seed: 1, startUs: 0 };
  const draws = [dueInstants(day), dueInstants({ ...day })].map((instants) =>
    Array.from({ length: 5 }, () => instants.next().value as number),
  );
  expect(draws[0]).toEqual(draws[1]);
  expect(draws[0]).toEqual(draws[0]!.toSorted((a, b) => a - b));
});

it('a schedule goes through its parts, each at its own rate', () => {
  const parts = [10, 1000].map((perSecond) => ({ perSecond, seconds: 2 }));
  const instants = [...dueInstants({ parts, seed: 1, startUs: 5e6 })];
  const first = instants.filter((us) => us < 7e6).length;
  expect(instants).toEqual(instants.toSorted((a, b) => a - b));
  expect(instants[0]).toBeGreaterThan(5e6);
  expect(instants.at(-1)).toBeLessThan(9e6);
  // 20 and 2000 are expected; independent calls are some more or fewer.
  expect([first > 10, first < 30]).toEqual([true, true]);
  expect([instants.length - first > 1800, instants.length - first < 2200]).toEqual([true, true]);
});
