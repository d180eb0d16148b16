import { describe, expect, it } from 'vitest';
import { GOALS, goalTable } from '../../bench/report/goals.ts';
import { percentileMs, showSpread } from '../../bench/report/spread.ts';
import { recoveryMs } from '../../bench/scenarios/overload.ts';

const CALM = { refused: 0, failed: 0, worstAcceptedUs: 2000 };
const SHED = { ...CALM, refused: 1 };
const SLOW = { ...CALM, worstAcceptedUs: 300_000 };

describe('the report', () => {
  it('judges a goal by the median of its rounds', () => {
    const [least, most] = [
      GOALS.find(({ bound }) => bound === 'at least'),
      GOALS.find(({ bound }) => bound === 'at most'),
    ];
    if (!least || !most) throw new Error('There are goals of both kinds.');
    const verdicts = (figures: Record<string, number[]>) => {
      const { rows } = goalTable({ values: figures, disturbed: new Set() });
      return [least, most].map(({ what }) => rows.find(([name]) => name === what)?.at(-1));
    };
    const [low, high] = [least.value, most.value];
    expect(verdicts({ [least.figure]: [0, low, low + 1], [most.figure]: [2 * high, high, 0] })).toEqual([
      'kept',
      'kept',
    ]);
    expect(verdicts({ [least.figure]: [0, low * 0.9, 2 * low], [most.figure]: [high * 1.1, high * 1.2, 0] })).toEqual([
      'missed',
      'missed',
    ]);
    expect(verdicts({ [least.figure]: [Number.NaN], [most.figure]: [Number.POSITIVE_INFINITY] })).toEqual([
      'missed',
      'missed',
    ]);
    expect(verdicts({})).toEqual(['not measured', 'not measured']);
  });

  it('marks the goals of a scenario in which the host stood still', () => {
    const [goal] = GOALS;
    if (!goal) throw new Error('There are goals.');
    const { rows } = goalTable({ values: { [goal.figure]: [1] }, disturbed: new Set([goal.figure]) });
    expect(rows[0]?.[2]).toBe('1 †');
  });

  it('quotes the median and shows the spread', () => {
    expect(showSpread([1, 3, 2.5])).toBe('2.5 (1 … 3)');
    expect(showSpread([1234.5, 1300])).toBe('1,267 (1,235 … 1,300)');
    expect(showSpread([])).toBe('–');
  });

  it('takes the slowest for a percentile that too few requests can show', () => {
    const latencies = {
      count: 20,
      maxUs: 9000,
      ladder: [
        [50, 1000],
        [95, 4000],
      ] as [number, number][],
    };
    expect(percentileMs(latencies, 50)).toBe(1);
    expect(percentileMs(latencies, 99.9)).toBe(9);
    expect(percentileMs({ ...latencies, count: 0 }, 50)).toBeNaN();
  });

  it('calls a service recovered from the first second on in which all was normal', () => {
    const calm = (count: number) => Array.from({ length: count }, () => CALM);
    expect(recoveryMs([...calm(30), CALM], 100, 1000)).toBe(0);
    expect(recoveryMs([...calm(10), SHED, SHED, ...calm(5), SLOW, ...calm(20)], 100, 1000)).toBe(800);
    expect(recoveryMs([...calm(10), ...Array.from({ length: 20 }, () => SHED)], 100, 1000)).toBe(
      Number.POSITIVE_INFINITY,
    );
  });
});
