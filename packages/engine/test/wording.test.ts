/** Amounts as an explanation writes them, and when a limit is renewed. */
import { expect, it } from 'vitest';
import { formatAmount, leftOfLimit } from '../src/trace/wording.ts';

it.each([
  [0, 'NOK', '0.00'],
  [5, 'NOK', '0.05'],
  [12_345, 'NOK', '123.45'],
  [1_100, 'JPY', '1100'],
  [5, 'KWD', '0.005'],
])('%i of %s: %s', (amount, currency, text) => {
  expect(formatAmount(amount, currency)).toBe(text);
});

it('what is left of a limit has its period, and that of all members the whole', () => {
  const periods = ['lifetime', 'year', 'month', 'week', 'day'] as const;
  const own = { quantity: 9, counts: 'items', of: 'member' } as const;
  expect(periods.map((period) => leftOfLimit(2, { ...own, period }, 'NOK'))).toEqual([
    ...['2 left', '2 left this year', '2 left this month', '2 left this week', '2 left today'],
  ]);
  const all = { quantity: 5_000_000, counts: 'money', of: 'programme', period: 'day' } as const;
  expect(leftOfLimit(123_456, all, 'NOK')).toBe('1,234.56 of 50,000.00 left today');
});
