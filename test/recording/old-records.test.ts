/** Recordings are personal data: files that are no longer kept go at every start, whichever process wrote them. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { removeOldRecords } from '../../src/recording/old-records.ts';
import { openRecordFile } from '../../src/recording/record-file.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { until } from '../support/wait.ts';

afterAll(cleanUp);
afterEach(() => void vi.useRealTimers());

/** What is kept of a process. */
const KEPT = 31;

let folder: string;
beforeEach(() => {
  folder = join(temporaryDirectory(), 'recordings');
  mkdirSync(folder);
});

const list = (): string[] => readdirSync(folder).toSorted();

/** The name of the file of a process so many days before a date. */
function nameOf(processNumber: number, daysBefore: number, part = 1, date = '2020-03-01'): string {
  const day = new Date(Date.parse(date) - daysBefore * 86_400_000).toISOString().slice(0, 10);
  return `baskets-${processNumber}.${day}.${part}.ndjson`;
}

/** Files of as many days that are over, the oldest first. */
function writeDays(processNumber: number, days: number): string[] {
  const names = Array.from({ length: days }, (_, index) => nameOf(processNumber, days - index));
  for (const name of names) writeFileSync(join(folder, name), '{}\n');
  return names;
}

const remove = (processes: number, now: Date) =>
  removeOldRecords({ folder, base: 'baskets', extension: '.ndjson' }, processes, now);

const open = () => {
  const watch = { onFault: (error: Error) => expect.fail(error.message), onDrop: () => expect.fail('dropped') };
  return openRecordFile(join(folder, 'baskets.ndjson'), { processNumber: 1, processes: 2 }, watch);
};

it('a process that starts removes old files of all processes, and leaves the newest of each', async () => {
  const [own, other] = [writeDays(1, 60), writeDays(2, 60)];
  const foreign = [
    'baskets-1.2020-01-01.1.ndjson.gz',
    'baskets-1.ndjson',
    'baskets.2020-01-01.1.ndjson',
    'notes.ndjson',
  ];
  for (const name of foreign) writeFileSync(join(folder, name), '');
  const file = await open();
  file.write('{"own":1}\n');
  await file.close();
  await until('the old files to be removed', () => list().length === foreign.length + 2 * KEPT);
  const current = list().filter((name) => !foreign.includes(name) && !own.includes(name) && !other.includes(name));
  expect(current).toEqual([expect.stringMatching(/^baskets-1\./)]);
  expect(readFileSync(join(folder, current[0]!), 'utf8')).toBe('{"own":1}\n');
  expect(list()).toEqual([...foreign, ...current, ...own.slice(-KEPT + 1), ...other.slice(-KEPT)].toSorted());
});

it('a process that begins the file of another day does so too', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: new Date(2020, 2, 1, 23, 59, 59) });
  const file = await open();
  file.write('{"day":1}\n');
  await file.close();
  const days = [...writeDays(1, 60), ...writeDays(2, 60)];
  vi.advanceTimersByTime(2000);
  vi.useRealTimers();
  const [first, second] = ['baskets-1.2020-03-01.1.ndjson', 'baskets-1.2020-03-02.1.ndjson'] as const;
  await until('the old files to be removed', () => list().length === 2 * KEPT);
  expect(list()).toEqual([...days.slice(31, 60), first, second, ...days.slice(-KEPT)].toSorted());
});

it('of one day the parts that were begun first go first', async () => {
  const parts = Array.from({ length: 33 }, (_, index) => nameOf(1, 0, index + 1));
  for (const name of parts) writeFileSync(join(folder, name), '');
  await remove(1, new Date(2020, 2, 1));
  expect(list()).toEqual(parts.slice(2).toSorted());
});

it('of a process number that is in use no more, files go when they are thirty days old', async () => {
  writeDays(2, 3);
  const left = [29, 30, 31, 32].map((daysBefore) => nameOf(3, daysBefore));
  for (const name of left) writeFileSync(join(folder, name), '');
  await remove(2, new Date(2020, 2, 1));
  expect(list()).toEqual([...left.slice(0, 2), ...[1, 2, 3].map((daysBefore) => nameOf(2, daysBefore))].toSorted());
  await remove(2, new Date(2021, 2, 1));
  expect(list()).toEqual([1, 2, 3].map((daysBefore) => nameOf(2, daysBefore)).toSorted());
});

it('processes that start at once do not disturb each other', async () => {
  const names = writeDays(1, 60);
  await Promise.all(Array.from({ length: 4 }, () => remove(4, new Date(2020, 2, 1))));
  expect(list()).toEqual(names.slice(-KEPT));
});
