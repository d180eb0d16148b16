/** Amounts, times and limits as an explanation writes them. */
import { expect, it, vi } from 'vitest';
import { budgetUsedUp, formatTime, leftOfLimit } from '../src/trace/wording.ts';

it.each([
  [0, 'NOK', '0.00'],
  [5, 'NOK', '0.05'],
  [12_345, 'NOK', '123.45'],
  [1_100, 'JPY', '1100'],
  [5, 'KWD', '0.005'],
])('%i of %s: %s', async (amount, currency, text) => {
  // The first time of a currency is another one than the second.
  vi.resetModules();
  const { formatAmount } = await import('../src/trace/wording.ts');
  expect(formatAmount(amount, currency)).toBe(text);
  expect(formatAmount(amount, currency)).toBe(text);
});

it.each([
  [0, '00:00'],
  [59, '00:59'],
  [605, '10:05'],
  [1_439, '23:59'],
])('minute %i of the day: %s', (minute, text) => {
  expect(formatTime(minute)).toBe(text);
});

it('what is left of a limit has its period, and that of all members the whole', () => {
  const periods = ['lifetime', 'year', 'month', 'week', 'day'] as const;
  const own = { quantity: 9, counts: 'items', of: 'member' } as const;
  expect(periods.map((period) => leftOfLimit(2, { ...own, period }, 'NOK'))).toEqual([
    ...['2 left', '2 left this year', '2 left this month', '2 left this week', '2 left today'],
  ]);
  const all = { quantity: 5_000_000, counts: 'money', of: 'programme', period: 'day' } as const;
  expect(leftOfLimit(123_456, all, 'NOK')).toBe('1,234.56 of 50,000.00 left today');
  expect(leftOfLimit(999, { ...all, counts: 'baskets', quantity: 1_000 }, 'NOK')).toBe('999 of 1,000 left today');
  expect(leftOfLimit(1_234_567, { ...all, counts: 'baskets', quantity: 2_000_000 }, 'NOK')).toBe(
    '1,234,567 of 2,000,000 left today',
  );
  expect(leftOfLimit(4_900, { ...all, of: 'member' }, 'NOK')).toBe('49.00 left today');
});

it('a budget that is used up says when it begins anew', () => {
  const end = "the campaign's budget is used up";
  expect((['lifetime', 'year', 'month', 'week', 'day'] as const).map(budgetUsedUp)).toEqual([
    ...[end, `${end}; it begins anew next year`, `${end}; it begins anew next month`],
    ...[`${end}; it begins anew next week`, `${end}; it begins anew tomorrow`],
  ]);
});
