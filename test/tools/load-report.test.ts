/** The figures of a load: none flatters the deployment, and none is mixed with another. */
import { describe, expect, it } from 'vitest';
import { percentilePicture } from '../../packages/tools/src/load/picture.ts';
import { describeCallers, renderReport } from '../../packages/tools/src/load/report.ts';
import { dueInstants, partEndsUs, type Schedule } from '../../packages/tools/src/load/schedule.ts';
import { type Ending, SALE_PREFIX, Tally } from '../../packages/tools/src/load/tally.ts';

const APPLIED = { name: '200 applied', kind: 'accepted' } as const;
const BUSY = { name: '503 unavailable', kind: 'other' } as const;
const LATE = { name: 'no answer within 3 s', kind: 'givenUp' } as const;

/** Counts as many calls, each of which ended after as many milliseconds. */
function count(tally: Tally, calls: number, ending: Ending, ms: number, prefix: '' | typeof SALE_PREFIX = ''): void {
  for (let call = 0; call < calls; call += 1) tally.end(tally.begin(prefix, 0), ending, ms * 1000);
}

/** The cells of a row. */
function rowOf(report: string, name: string): string[] {
  const row = report.split('\n').find((line) => line.startsWith(`${name}  `)) ?? '';
  return row.slice(name.length).trim().split(/ {2,}/);
}

describe('calls that were given up', () => {
  it('count with the time they had waited, in the percentiles and in the picture', () => {
    const tally = new Tally();
    count(tally, 125, APPLIED, 12);
    count(tally, 73, LATE, 3000);
    const report = renderReport(tally, 10);
    expect(rowOf(report, 'p50')).toEqual(['12.01', '–']);
    expect(rowOf(report, 'p90')).toEqual(['3000', '–']);
    expect(rowOf(report, 'slowest')).toEqual(['3000', '–']);
    expect(rowOf(report, 'calls')).toEqual(['198', '0']);
    const told =
      '73 of 198 basket calls (36.87 %) were given up without an answer, and count with the time they had waited.';
    expect(report).toContain(`\n${told}\n`);
    expect(report).not.toContain('not in the percentiles');
    const curves = [{ label: 'caller', latencies: tally.caller.summarize() }];
    const picture = percentilePicture('', curves, describeCallers(tally));
    expect(picture).toContain(`<desc>caller: 198 calls, the slowest 3000.0 ms. ${told}</desc>`);
    expect(picture).toContain(`>${told}</text>`);
  });

  it('count at the end with all they had waited, and a basket that was answered not again for its sale', () => {
    const tally = new Tally();
    tally.end(tally.begin('', 0), APPLIED, 5000);
    const sale = tally.begin(SALE_PREFIX, 5000);
    const basket = tally.begin('', 1000);
    expect(tally.open).toBe(2);
    tally.giveUp(10_001_000);
    expect(tally.open).toBe(0);
    // An answer that comes later changes nothing.
    expect(tally.end(basket, APPLIED, 11_000_000)).toBe(false);
    expect(tally.end(sale, APPLIED, 11_000_000)).toBe(false);
    const report = renderReport(tally, 10);
    expect(rowOf(report, 'no answer at the end')).toEqual(['1', '50.00 %', '0.1', '10000', '10000', '10000']);
    expect(rowOf(report, 'sale no answer at the end')[0]).toBe('1');
    expect(rowOf(report, 'calls')).toEqual(['2', '0']);
    expect(report).toContain('1 of 2 basket calls (50.00 %) were given up');
  });
});

describe('a report', () => {
  it('names the share of the calls that the percentiles leave out', () => {
    const tally = new Tally();
    count(tally, 3, APPLIED, 12);
    count(tally, 1, BUSY, 1);
    expect(renderReport(tally, 1)).toContain(
      '\n1 of 4 basket calls (25.00 %) had another answer or failed, and are not in the percentiles.\n',
    );
  });

  it('gives the shares of baskets and those of sale events apart', () => {
    const tally = new Tally();
    count(tally, 50, APPLIED, 12);
    count(tally, 50, BUSY, 1);
    count(tally, 50, { name: '200 recorded', kind: 'accepted' }, 4, SALE_PREFIX);
    const report = renderReport(tally, 1);
    const shares = ['200 applied', '503 unavailable', 'sale 200 recorded'].map((name) => rowOf(report, name)[1]);
    expect(shares).toEqual(['50.00 %', '50.00 %', '100.00 %']);
  });

  it('prints the percentiles that it names', () => {
    const tally = new Tally();
    for (let ms = 1; ms <= 1000; ms += 1) count(tally, 1, APPLIED, ms);
    const report = renderReport(tally, 1);
    const printed = ['p50', 'p90', 'p95', 'p99', 'p99.9'].map((name) => Math.round(Number(rowOf(report, name)[0])));
    expect(printed).toEqual([500, 900, 950, 990, 999]);
  });

  it('has a dash where no call has a time', () => {
    const tally = new Tally();
    count(tally, 2, BUSY, 1);
    expect(rowOf(renderReport(tally, 1), 'slowest')).toEqual(['–', '–']);
  });
});

describe('a schedule', () => {
  const DAY: Schedule = { parts: [{ perSecond: 100_000, seconds: 86_400 }], seed: 1, startUs: 0 };

  it('draws the calls of a day one by one, and every thread the same ones', () => {
    const draws = [dueInstants(DAY), dueInstants({ ...DAY })].map((instants) =>
      Array.from({ length: 5 }, () => instants.next().value as number),
    );
    expect(draws[0]).toEqual(draws[1]);
    expect(draws[0]).toEqual(draws[0]!.toSorted((a, b) => a - b));
  });

  it('goes through its parts, each at its own rate', () => {
    const parts = [10, 1000].map((perSecond) => ({ perSecond, seconds: 2 }));
    const schedule = { parts, seed: 1, startUs: 5e6 };
    expect(partEndsUs(schedule)).toEqual([7e6, 9e6]);
    const instants = [...dueInstants(schedule)];
    const first = instants.filter((us) => us < 7e6);
    expect(instants).toEqual(instants.toSorted((a, b) => a - b));
    expect(Math.min(...instants)).toBeGreaterThan(5e6);
    expect(Math.max(...instants)).toBeLessThan(9e6);
    expect(first.length).toBeGreaterThan(10);
    expect(first.length).toBeLessThan(30);
    expect(instants.length - first.length).toBeGreaterThan(1800);
    expect(instants.length - first.length).toBeLessThan(2200);
  });
});
