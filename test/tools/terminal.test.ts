/** What tools and benchmark print on a terminal. */
import { describe, expect, it } from 'vitest';
import { toText } from '../../bench/report/write.ts';
import { formatMoney, formatSum } from '../../packages/tools/src/terminal/money.ts';
import { renderTable } from '../../packages/tools/src/terminal/table.ts';

describe('a table', () => {
  it('has columns as wide as their widest cell, and figures to the right', () => {
    const table = renderTable(
      ['line', 'cost'],
      [
        ['Filter coffee', '39.00'],
        ['Bun', '−4.50'],
      ],
    );
    expect(table).toBe(
      ['line            cost', '─────────────  ─────', 'Filter coffee  39.00', 'Bun            −4.50', ''].join('\n'),
    );
  });

  it('leaves a column of words to the left, and an empty one without a body', () => {
    expect(renderTable(['a', 'b'], [['1', 'x2']])).toBe('a  b\n─  ──\n1  x2\n');
    expect(renderTable(['a'], [])).toBe('a\n─\n');
  });

  it('of the benchmark has everything but names to the right', () => {
    const table = {
      title: 'CPU',
      head: ['who', 'µs'],
      rows: [
        ['service', '3 (2 … 3)'],
        ['floor', '–'],
      ],
    };
    expect(toText(table)).toBe(
      ['CPU', 'who             µs', '───────  ─────────', 'service  3 (2 … 3)', 'floor            –', ''].join('\n'),
    );
  });
});

describe('money', () => {
  it.each([
    [3_900, 'NOK', '39.00', '39.00'],
    [-5, 'NOK', '−0.05', '−0.05'],
    [123_456_789, 'JPY', '123456789', '123,456,789'],
    [-123_456_789, 'KWD', '−123456.789', '−123,456.789'],
    [12_345_678, 'CLF', '1234.5678', '1,234.5678'],
    [0, 'EUR', '0.00', '0.00'],
  ])('%d %s', (minorUnits, currency, money, sum) => {
    expect(formatMoney(minorUnits, currency)).toBe(money);
    expect(formatSum(minorUnits, currency)).toBe(sum);
  });
});
