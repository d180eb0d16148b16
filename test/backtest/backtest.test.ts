/** Rehearsals: what a draft changes on recorded baskets, on plain ones, and on lines that are none. */

import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { BERGEN, basketOf } from '../support/baskets.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { type Configuration, configurationOf, SINGLE_USE, TWENTY } from '../support/configuration.ts';
import { runCommand } from '../support/run-command.ts';
import { type BasketWords, recordOf } from './records.ts';

afterAll(cleanUp);

let folder: string;
beforeEach(() => {
  folder = temporaryDirectory();
});

function write(name: string, lines: readonly unknown[]): string {
  const file = join(folder, name);
  writeFileSync(file, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));
  return file;
}

/** Rehearses in one thread; the programme in force is the tests' own. */
async function backtest(baskets: string, draft: Configuration, ...more: string[]) {
  const current = write('current.yaml', [configurationOf()]);
  const out = join(folder, 'report');
  const args = ['backtest', baskets, '--config', write('draft.yaml', [draft]), '--out', out, ...more];
  const ran = await runCommand(args, { LOYALTY_CONFIG: current, DATA_DIR: folder });
  const read = (name: string) => {
    const text = existsSync(join(out, name)) ? readFileSync(join(out, name), 'utf8') : '';
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  };
  return { ...ran, differences: read('differences.ndjson'), malformed: read('malformed.ndjson'), out };
}

const withPercent = (percent: number) =>
  configurationOf({ programme: { benefits: [{ ...TWENTY, percent }, SINGLE_USE] }, bergenCurrencies: ['NOK', 'EUR'] });

const granted = (words: BasketWords = {}) => recordOf({ grants: ['twenty'], ...words });

const sale = (calculationId: string | undefined, status: string) => ({ end: { calculationId, kind: 'sale', status } });

const anna = { programmeId: 'coffee-club', loyaltyId: 'anna', status: 'active' };

test('a draft costs what it costs: per benefit, venue, day and member', async () => {
  const late = { requestedAt: '2026-11-20T23:30:00Z' };
  const file = write('baskets.ndjson', [
    granted({ loyaltyId: 'anna' }),
    granted({ loyaltyId: 'anna', ...late }),
    granted({ loyaltyId: 'berit', unitPrice: 20_000, context: BERGEN, currency: 'EUR' }),
    recordOf({ loyaltyId: 'eva' }),
  ]);
  const { stdout, differences, out } = await backtest(file, withPercent(25));
  // 100.00, 100.00 and 200.00, of which 20 % and 25 %.
  expect(stdout).toMatch(/twenty +NOK +2 +2 +40\.00 +2 +2 +50\.00 +10\.00\n/);
  expect(stdout).toMatch(/twenty +EUR +1 +1 +40\.00 +1 +1 +50\.00 +10\.00\n/);
  expect(stdout).toMatch(/oslo-central +NOK +3 +300\.00 +40\.00 +50\.00 +10\.00\n/);
  expect(stdout).toMatch(/bergen-quay +EUR +1 +200\.00 +40\.00 +50\.00 +10\.00\n/);
  // Half past eleven in the evening by UTC is the next day in Oslo.
  expect(stdout).toMatch(/2026-11-21 +NOK +1 +100\.00 +20\.00 +25\.00 +5\.00\n/);
  expect(stdout).toMatch(/pay less +NOK +1 +10\.00\n/);
  expect(stdout).toMatch(/pay less +EUR +1 +10\.00\n/);
  expect(differences.map(({ line, loyaltyId, change }) => [line, loyaltyId, change])).toEqual([
    [1, 'anna', -500],
    [2, 'anna', -500],
    [3, 'berit', -1_000],
  ]);
  expect(differences[2]).toMatchObject({
    current: { total: 16_000, saved: { twenty: 4_000 } },
    draft: { total: 15_000, saved: { twenty: 5_000 } },
  });
  const first = /Sales that differ most\n\n.*\n.*\n *(\d+)/.exec(stdout);
  expect(first?.[1]).toBe('3');
  expect(readFileSync(join(out, 'report.txt'), 'utf8')).toBe(stdout.slice(0, stdout.lastIndexOf(`\n${out}`)));
  expect(readFileSync(join(out, 'benefits-by-day.csv'), 'utf8')).toBe(
    [
      'day,benefit,currency,sales now,units now,saved now,sales with draft,units with draft,saved with draft',
      '2026-11-20,twenty,EUR,1,1,4000,1,1,5000',
      '2026-11-20,twenty,NOK,1,1,2000,1,1,2500',
      '2026-11-21,twenty,NOK,1,1,2000,1,1,2500\n',
    ].join('\n'),
  );
});

test('halves of the members are told apart, those without the benefit too', async () => {
  const records = Array.from({ length: 40 }, (_, number) => granted({ loyaltyId: `member-${number}` }));
  const twice = records.map((record, number) => ({
    ...record,
    // A recording names the members' parts, because its loyalty IDs are pseudonyms.
    member: { ...record.member, shareParts: { spring: number < 10 ? 49 : 50 } },
  }));
  const share = { from: 0, below: 50, salt: 'spring' };
  const draft = configurationOf({ programme: { benefits: [{ ...TWENTY, percent: 25, when: { share } }, SINGLE_USE] } });
  const { stdout } = await backtest(write('baskets.ndjson', twice), draft);
  expect(stdout).toMatch(/spring 0-50 +NOK +10 +1,?000\.00 +200\.00 +250\.00 +50\.00\n/);
  expect(stdout).toMatch(/spring 50-100 +NOK +30 +3,?000\.00 +600\.00 +0\.00 +−600\.00\n/);
});

test('sales count, and not calculations: whatever was not sold in the end is told and left out', async () => {
  const baskets = Array.from({ length: 8 }, (_, index) => granted({ sample: 1, unitPrice: 10_000 + index }));
  const [sold, changed, late, cancelled, failed, unchanged, never, older] = baskets.map(
    ({ basket }) => basket.calculationId,
  );
  const superseded = { kind: 'superseded', by: randomUUID() };
  const ends = [
    sale(sold, 'applied'),
    { end: { calculationId: changed, ...superseded } },
    { end: { calculationId: late, ...superseded } },
    sale(late, 'applied'),
    sale(cancelled, 'cancelled'),
    sale(failed, 'failed'),
    sale(unchanged, 'unchanged'),
    // Of calculations of another file, and none at all.
    sale(randomUUID(), 'applied'),
    sale(never, 'eaten'),
  ];
  // An end may stand before its basket, in the file of another process.
  const file = write('baskets.ndjson', [...ends, ...baskets, granted({ supersedesCalculationId: older! })]);
  const { stdout, differences, malformed } = await backtest(file, withPercent(25));
  expect(stdout).toContain(
    '9 in the input: 3 sold, 2 superseded by a later basket, 1 given up, 1 sold without their answer, 1 without a sale event',
  );
  expect(stdout).toContain('each is a sale: its outcome was not recorded (1 baskets)');
  expect(stdout).toContain('4 priced by both, 4 of them differ');
  expect(stdout).toMatch(/twenty +NOK +4 +4 +80\.01 +4 +4 +100\.02 +20\.01\n/);
  expect(stdout).not.toContain('Scaled');
  const seen = differences.map(({ calculationId }) => calculationId);
  expect(seen.slice(0, 3)).toEqual([sold, late, unchanged]);
  expect(malformed).toEqual([expect.objectContaining({ line: 9, reason: 'end: expected how a calculation ended' })]);
});

test('a sale counts as many times as its sample says, and the report says so', async () => {
  const tenth = Array.from({ length: 3 }, () => granted({ sample: 0.1 }));
  const third = granted({ sample: 0.3 });
  const ends = [...tenth, third].map(({ basket }) => sale(basket.calculationId, 'applied'));
  const file = write('baskets.ndjson', [...tenth, third, ...ends, { ...granted(), sample: 0 }]);
  const { stdout, differences, malformed } = await backtest(file, withPercent(25));
  expect(malformed).toEqual([expect.objectContaining({ reason: expect.stringContaining('sample') })]);
  expect(stdout).toContain('4 priced by both, 4 of them differ');
  expect(stdout).toMatch(
    /are extrapolated to all sales \(3 of a sample of 0\.1 × 10, 1 of a sample of 0\.3 × 3\.33\): an estimate/,
  );
  // 33.3 sales of 100.00: 20 % and 25 % of them.
  expect(stdout).toMatch(/twenty +NOK +33 +33 +666\.67 +33 +33 +833\.33 +166\.67\n/);
  expect(stdout).toMatch(/oslo-central +NOK +33 +3,333\.33 +666\.67 +833\.33 +166\.67\n/);
  expect(differences.map(({ change }) => change)).toEqual([-500, -500, -500, -500]);
});

test('what was used of a limit then counts, also against another limit', async () => {
  const single = (used: number) => recordOf({ grants: ['single-use'], used: used ? { 'single-use:*': used } : {} });
  const file = write('baskets.ndjson', [single(0), single(1), single(1)]);
  const twice = { ...SINGLE_USE, limit: { ...SINGLE_USE.limit, quantity: 2 } } as typeof SINGLE_USE;
  const { stdout, differences } = await backtest(file, configurationOf({ programme: { benefits: [TWENTY, twice] } }));
  expect(stdout).toMatch(/single-use +NOK +1 +1 +20\.00 +3 +3 +60\.00 +40\.00\n/);
  expect(differences.map(({ line }) => line)).toEqual([2, 3]);
});

test('a basket is as far off as it was then, for the window of each programme; older records and plain baskets are believed', async () => {
  const HOUR_MS = 3_600_000;
  const single = (clockOffsetMs?: number) =>
    recordOf({ grants: ['single-use'], ...(clockOffsetMs !== undefined && { clockOffsetMs }) });
  const file = write('baskets.ndjson', [
    single(),
    single(-2 * HOUR_MS),
    single(-2 * HOUR_MS - 1),
    single(600_001),
    granted({ clockOffsetMs: -HOUR_MS * 24 }),
    basketOf([{}], { loyaltyId: 'anna' }),
  ]);
  const members = write('members.ndjson', [{ ...anna, grants: ['single-use'] }]);
  const draft = configurationOf({ requestedAt: { pastHours: 2, aheadMinutes: 10 } });
  const { stdout, differences } = await backtest(file, draft, '--members', members);
  expect(stdout).toContain('6 priced by both, 2 of them differ');
  expect(differences.map(({ line, change }) => [line, change])).toEqual([
    [3, 2_000],
    [4, 2_000],
  ]);
});

test('plain baskets are priced for the members of an export, and for nobody in particular without', async () => {
  const baskets = ['anna', 'berit'].map((loyaltyId) => basketOf([{}], { loyaltyId }));
  const file = write('baskets.ndjson', baskets);
  const without = await backtest(file, withPercent(30));
  expect(without.stdout).toContain(
    'the member is unknown: an active member without tier or grants is assumed (2 baskets)',
  );
  expect(without.stdout).toContain('limited benefits are fully available');
  expect(without.differences).toEqual([]);
  const holder = { ...anna, grants: ['twenty'] };
  const members = write('members.ndjson', [holder, { ...holder, loyaltyId: 'berit', status: 'paused' }]);
  const { differences } = await backtest(file, withPercent(30), '--members', members);
  expect(differences).toMatchObject([{ loyaltyId: 'anna', change: -1_000 }]);
  const bad = await backtest(file, withPercent(30), '--members', write('bad.ndjson', [{ programmeId: 'coffee-club' }]));
  expect(bad).toMatchObject({ code: 2, stderr: expect.stringContaining('bad.ndjson:1: loyaltyId') });
});

test('lines that are none are named and passed over, baskets that cannot be priced are counted', async () => {
  const good = granted();
  const { totals } = good.basket;
  const file = write('baskets.ndjson', [
    'no json',
    '[1]',
    '',
    { ...good, basket: { ...good.basket, totals: { ...totals, total: 1 } } },
    { ...good, member: { status: 'sleeping', grants: [] } },
    { ...good, used: { 'single-use:*': -1 } },
    { ...good, answer: {} },
    { ...good, clockOffsetMs: 'an hour' },
    { ...good, basket: { ...good.basket, currency: 'SEK' } },
    { ...good, basket: { ...good.basket, context: BERGEN } },
    good,
    recordOf({ member: null }),
    { ...good, answer: { status: 'applied', total: 7_999 } },
  ]);
  const draft = configurationOf();
  draft.venues = draft.venues.filter(({ venueId }) => venueId === 'oslo-central');
  const { code, stdout, stderr, malformed, differences } = await backtest(file, draft);
  expect([code, differences]).toEqual([0, []]);
  expect(malformed.map(({ line, reason }) => [line, reason])).toEqual([
    [1, 'no JSON'],
    [2, 'no JSON object'],
    [4, expect.stringContaining('/totals/total')],
    [5, expect.stringContaining('member')],
    [6, expect.stringContaining('used')],
    [7, expect.stringContaining('answer')],
    [8, expect.stringContaining('clockOffsetMs')],
  ]);
  expect(stderr).toContain(`${file}:4: /totals/total`);
  expect(stdout).toContain('3 priced by both, 0 of them differ');
  expect(stdout).toContain('1 could not be priced (current: unknown_currency)');
  expect(stdout).toContain('1 could not be priced (draft: venue_not_configured)');
  expect(stdout).toContain('7 lines could not be read');
  expect(stdout).toContain('1 were answered with another total');
});

test('many baskets in several threads come out in the order of the input', async () => {
  const many = Array.from({ length: 3000 }, (_, index) =>
    granted({ unitPrice: 1_000 + index, calculationId: randomUUID() }),
  );
  const file = write('baskets.ndjson', many);
  const { stdout, differences } = await backtest(file, withPercent(40), '--threads', '3');
  expect(stdout).toContain('3,000 priced by both, 3,000 of them differ');
  expect(differences.map(({ line }) => line)).toEqual(many.map((_, index) => index + 1));
  const most = [...stdout.slice(stdout.indexOf('differ most')).matchAll(/^ *(\d+) +2026/gm)].map(([, line]) => line);
  expect(most).toHaveLength(20);
  expect(most[0]).toMatch(/^(2998|2999|3000)$/);
});

test('what cannot be done is said in one line', async () => {
  const file = write('baskets.ndjson', ['no json']);
  mkdirSync(join(folder, 'taken'));
  expect(await backtest(file, configurationOf())).toMatchObject({ code: 1 });
  expect(await backtest(join(folder, 'nowhere'), configurationOf())).toMatchObject({ code: 2 });
  expect(await backtest('/dev/null', configurationOf())).toMatchObject({
    code: 2,
    stderr: 'backtest: /dev/null is a pipe or a device, allowed: a file, because it is read more than once\n',
  });
  expect((await backtest(file, configurationOf(), '--threads', '0')).stderr).toMatch(
    /^backtest: option '--threads <n>' argument '0' is invalid[^\n]*\n$/,
  );
  const broken = { ...configurationOf(), venues: [] as never[], programmes: 'none' } as unknown as Configuration;
  expect((await backtest(file, broken)).stderr).toMatch(/^backtest: .*draft\.yaml: programmes: found "none"[^\n]*\n$/);
});
