/** Log files of past days are compressed, beside the event loop, and kept for as long as they must be. */
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { archive } from '../../src/primary/log-archive.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { Service } from '../support/service.ts';
import { until } from '../support/wait.ts';

afterAll(cleanUp);

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LINE = '{"level":"info","msg":"call"}\n';

/** The name of the file of so many days ago, in local time as the log names it. */
function fileOf(daysAgo: number, now = new Date()): string {
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo, 12);
  return `service.${day.toLocaleDateString('sv-SE')}.1.log`;
}

/** Writes a file that was last written to when its age says. */
function write(folder: string, name: string, content: string, ageMs = HOUR_MS): void {
  const file = join(folder, name);
  writeFileSync(file, content);
  const seconds = (Date.now() - ageMs) / 1000;
  utimesSync(file, seconds, seconds);
}

const read = (folder: string, name: string): string => gunzipSync(readFileSync(join(folder, name))).toString();

describe('a service with LOG_DIR', () => {
  it('compresses the files of past days, and leaves today and foreign files alone', async () => {
    const dataDirectory = temporaryDirectory();
    const folder = join(dataDirectory, 'log');
    mkdirSync(folder);
    write(folder, fileOf(1), LINE.repeat(1000));
    write(folder, fileOf(90), 'still kept\n', 90 * DAY_MS);
    write(folder, fileOf(91), 'kept for long enough\n', 91 * DAY_MS);
    write(folder, `${fileOf(91)}.gz`, 'kept for long enough\n', 91 * DAY_MS);
    write(folder, 'other.2020-01-01.1.log', 'not ours\n');
    const service = Service.spawn({ dataDirectory, env: { LOG_DIR: folder, PROCESSES: '2' } });
    await until(
      'all files to be looked at',
      () => existsSync(join(folder, `${fileOf(90)}.gz`)) && !existsSync(join(folder, fileOf(1))),
    );
    expect(read(folder, `${fileOf(1)}.gz`)).toBe(LINE.repeat(1000));
    expect(read(folder, `${fileOf(90)}.gz`)).toBe('still kept\n');
    expect(readdirSync(folder).toSorted()).toEqual(
      ['other.2020-01-01.1.log', `${fileOf(90)}.gz`, `${fileOf(1)}.gz`, fileOf(0)].toSorted(),
    );
    await service.stop();
  });
});

describe('the archive', () => {
  const onFailure = (file: string, error: unknown): void => {
    throw new Error(`${file}: ${error}`);
  };

  it('waits while a file is still written to', async () => {
    const folder = temporaryDirectory();
    write(folder, fileOf(1), LINE, 60_000);
    await archive(folder, { onFailure });
    expect(readdirSync(folder)).toEqual([fileOf(1)]);
  });

  it('replaces no earlier copy of the same day', async () => {
    const folder = temporaryDirectory();
    write(folder, `${fileOf(1)}.gz`, 'the first copy');
    write(folder, fileOf(1), 'lines that came later\n');
    await archive(folder, { onFailure });
    expect(readdirSync(folder).toSorted()).toEqual([`${fileOf(1)}.2.gz`, `${fileOf(1)}.gz`]);
    expect(read(folder, `${fileOf(1)}.2.gz`)).toBe('lines that came later\n');
  });

  it('leaves a file to the process that compresses it, and goes on where that one has ended', async () => {
    const folder = temporaryDirectory();
    write(folder, fileOf(1), LINE);
    write(folder, `${fileOf(1)}.part`, 'half', 60_000);
    await archive(folder, { onFailure });
    expect(readdirSync(folder)).toHaveLength(2);
    write(folder, `${fileOf(1)}.part`, 'half', HOUR_MS);
    await archive(folder, { onFailure });
    await archive(folder, { onFailure });
    expect(readdirSync(folder)).toEqual([`${fileOf(1)}.gz`]);
    expect(read(folder, `${fileOf(1)}.gz`)).toBe(LINE);
  });

  it('reports a file that it cannot compress, and keeps it', async () => {
    const folder = temporaryDirectory();
    mkdirSync(join(folder, fileOf(1)));
    const seconds = (Date.now() - HOUR_MS) / 1000;
    utimesSync(join(folder, fileOf(1)), seconds, seconds);
    write(folder, fileOf(2), LINE);
    const failed: string[] = [];
    await archive(folder, { onFailure: (file) => failed.push(file) });
    expect(failed).toEqual([join(folder, fileOf(1))]);
    expect(readdirSync(folder).toSorted()).toEqual([`${fileOf(2)}.gz`, fileOf(1)].toSorted());
  });

  it('leaves the event loop to calls', async () => {
    const folder = temporaryDirectory();
    const lines = Array.from({ length: 200_000 }, (_, at) => `{"call":${Math.imul(at, 2654435761)},"msg":"call"}\n`);
    write(folder, fileOf(1), lines.join(''));
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 0);
    await archive(folder, { onFailure });
    clearInterval(counting);
    expect(readdirSync(folder)).toEqual([`${fileOf(1)}.gz`]);
    // Of a compression on the loop a turn would see only the beginning and the end.
    expect(turns).toBeGreaterThan(20);
  });
});
