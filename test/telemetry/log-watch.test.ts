/** A log whose file or folder is taken away is opened anew, and the lines that are lost are counted and reported. */
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLog, type ServiceLog } from '../../src/telemetry/log.ts';
import { until } from '../support/wait.ts';

const MEGABYTE = 1024 * 1024;

let place: string;
let dir: string;
let closeLog: (() => Promise<void>) | undefined;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'loy-'));
  dir = join(place, 'logs');
});
afterEach(async () => {
  await closeLog?.();
  process.removeAllListeners('SIGHUP');
  rmSync(place, { recursive: true, force: true });
});

async function open(): Promise<ServiceLog> {
  const { log, close } = await openLog({ level: 'info', dir, process: 1 });
  closeLog = close;
  await until('the file', () => existsSync(dir) && readdirSync(dir).length === 1);
  return log;
}

/** The messages in a folder of logs, without one that is being written. */
const messages = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line).msg as string),
  );
const has = (folder: string, message: string) => existsSync(folder) && messages(folder).includes(message);

/** Writes a line until one is in the folder. */
async function untilWritten(log: ServiceLog, message: string): Promise<void> {
  await until(message, () => {
    log.info(message);
    return has(dir, message);
  });
}

test('a folder that was renamed is made anew, and nothing is lost', async () => {
  const log = await open();
  await untilWritten(log, 'before');
  const away = join(place, 'logs.1');
  renameSync(dir, away);
  await untilWritten(log, 'after');
  expect(messages(away)).toContain('before');
  expect(messages(dir)).toContain('log file opened anew: it had been removed or renamed');
  expect(log.losses()).toEqual({ blocked: 0, removed: 0 });
});

test('SIGHUP after somebody else has rotated the file opens a new one', async () => {
  const log = await open();
  await untilWritten(log, 'before');
  const [name = ''] = readdirSync(dir);
  renameSync(join(dir, name), join(place, 'rotated'));
  process.emit('SIGHUP');
  await until('the file', () => existsSync(join(dir, name)));
  await untilWritten(log, 'after');
  expect(readFileSync(join(place, 'rotated'), 'utf8')).toContain('before');
  expect(log.losses()).toEqual({ blocked: 0, removed: 0 });
});

test('lines into a removed folder are counted, and reported in the next one', async () => {
  const log = await open();
  await untilWritten(log, 'before');
  rmSync(dir, { recursive: true });
  await untilWritten(log, 'after');
  const { removed, blocked } = log.losses();
  expect(removed).toBeGreaterThan(0);
  expect(blocked).toBe(0);
  await until('the report', () => has(dir, 'log lines lost'));
  // It takes no more than what was written to nowhere.
  await untilWritten(log, 'later');
  expect(log.losses()).toEqual({ removed, blocked });
});

test('a folder that cannot be made anew is tried again', async () => {
  const log = await open();
  rmSync(dir, { recursive: true });
  // A file stands in its place.
  symlinkSync('/dev/null', dir);
  await until('the lines to be counted', () => {
    log.info('nowhere');
    return log.losses().removed > 0;
  });
  unlinkSync(dir);
  await untilWritten(log, 'after');
  await until('the report', () => has(dir, 'log lines lost'));
});

test.skipIf(process.platform !== 'linux')('lines beyond what may wait for a full disk are counted', async () => {
  const log = await open();
  await untilWritten(log, 'before');
  const [name = ''] = readdirSync(dir);
  unlinkSync(join(dir, name));
  symlinkSync('/dev/full', join(dir, name));
  await until('the full disk', () => {
    log.info('x'.repeat(MEGABYTE));
    return log.losses().blocked > 0;
  });
  unlinkSync(join(dir, name));
  await until('the report', () => has(dir, 'log lines lost'));
  expect(log.losses().blocked).toBeGreaterThan(0);
});
