/** The tables of a rehearsal. */
import { expect, it } from 'vitest';
import { emptyTally } from '../../packages/tools/src/backtest/tally.ts';
import { renderReport } from '../../packages/tools/src/commands/backtest-tables.ts';

/** The rows of the table of days, each with its currency, and what stands above the table. */
function daysOf(days: number) {
  const tally = emptyTally();
  for (const currency of ['SEK', 'NOK']) {
    for (let day = 0; day < days; day += 1) {
      const date = new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10);
      tally.days.set(`${currency} ${date}`, { sales: 1, before: 100, current: 90, draft: 80 });
    }
  }
  const text = renderReport({ tally, malformedLines: 0, current: '', draft: '' });
  const [, section = ''] = /Cost per day[^\n]*\n\n([\s\S]*?)\n\n/.exec(text) ?? [];
  const rows = [...section.matchAll(/^(2026-\d\d-\d\d) +([A-Z]{3})/gm)].map(
    ([, day, currency]) => `${day} ${currency}`,
  );
  return { rows, left: /^\(.*\)$/m.exec(section)?.[0] };
}

it('days come in their order, each with all of its currencies; of more than a table has room for, the last ones stand', () => {
  const all = daysOf(62);
  expect([all.left, all.rows.length]).toEqual([undefined, 124]);
  expect(all.rows.slice(0, 3)).toEqual(['2026-01-01 NOK', '2026-01-01 SEK', '2026-01-02 NOK']);
  expect(all.rows).toEqual(all.rows.toSorted());
  const last = daysOf(64);
  expect([last.left, last.rows.length]).toEqual(['(the last 62 of 64 days)', 124]);
  expect([last.rows[0], last.rows.at(-1)]).toEqual(['2026-01-03 NOK', '2026-03-05 SEK']);
});
