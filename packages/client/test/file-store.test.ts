/** The outbox file: what a crash may leave of it, and who may have it. */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { FileStore, type OutboxRecord } from 'loyalty-basket-client';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../test/support/cleanup.ts';

function dueRecord(): OutboxRecord {
  const calculationId = randomUUID();
  return { kind: 'due', calculationId, atMs: 1, event: { calculationId, status: 'cancelled' } };
}

async function read(path: string) {
  const faults: string[] = [];
  const named: string[] = [];
  const store = new FileStore(path, (detail, calculationIds) => {
    faults.push(detail);
    named.push(...calculationIds);
  });
  const records = await store.load();
  await store.close();
  return { records, faults, named };
}

async function written(records: readonly OutboxRecord[]): Promise<string> {
  const path = join(temporaryDirectory(), 'outbox.log');
  const store = new FileStore(path);
  expect(await store.load()).toEqual([]);
  for (const record of records) await store.append([record]);
  await store.close();
  return path;
}

test('what was appended is there, in order, readable by the owner only', async () => {
  const records = Array.from({ length: 500 }, dueRecord);
  const path = await written(records);
  expect(await read(path)).toEqual({ records, faults: [], named: [] });
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a line that was cut off is passed over, wherever the cut is', async () => {
  const records = [dueRecord(), dueRecord()];
  const path = await written(records);
  const whole = readFileSync(path);
  const firstLine = whole.indexOf(0x0a) + 1;
  for (let length = firstLine; length < whole.length - 1; length += 7) {
    writeFileSync(path, whole.subarray(0, length));
    const { records: found, faults } = await read(path);
    expect(found).toEqual([records[0]]);
    expect(faults).toHaveLength(length > firstLine ? 1 : 0);
  }
});

test('what is appended after a line that was cut off is whole', async () => {
  const records = [dueRecord(), dueRecord()];
  const path = await written(records);
  truncateSync(path, readFileSync(path).length - 20);
  const store = new FileStore(path);
  await store.load();
  const third = dueRecord();
  await store.append([third]);
  await store.close();
  expect((await read(path)).records).toEqual([records[0], third]);
});

test('a line that lost a byte goes into quarantine with its calculation named, and those around it stay', async () => {
  const records = [dueRecord(), dueRecord(), dueRecord()];
  const path = await written(records);
  const lines = readFileSync(path, 'utf8').split('\n');
  lines[1] = lines[1]!.replace('cancelled', 'cancalled');
  writeFileSync(path, lines.join('\n'));
  // Whole, and of a later version.
  const later = '{"kind":"later","calculationId":"x"}';
  const foreign = `${crc32(later).toString(16).padStart(8, '0')} ${later}`;
  appendFileSync(path, `${foreign}\n`);
  const { records: found, faults, named } = await read(path);
  expect(found).toEqual([records[0], records[2]]);
  expect(faults).toEqual([expect.stringContaining('2 lines are not whole')]);
  expect(named).toEqual([records[1]!.calculationId]);
  expect(readFileSync(`${path}.quarantine`, 'utf8')).toBe(`${lines[1]}\n${foreign}\n`);
  // They were told, and they are kept; the outbox itself is whole again.
  expect(await read(path)).toEqual({ records: [records[0], records[2]], faults: [], named: [] });
});

test('damaged lines stay where they are when the quarantine cannot be written', async () => {
  const record = dueRecord();
  const path = await written([record]);
  appendFileSync(path, 'not a line of ours\n');
  mkdirSync(`${path}.quarantine`);
  for (let start = 0; start < 2; start += 1) {
    const { records, faults } = await read(path);
    expect(records).toEqual([record]);
    expect(faults).toEqual([expect.stringMatching(/1 lines are not whole; they stay, because .*EISDIR/)]);
  }
});

/** A folder that can no longer be read, as after too many open files, once the new file has its name. */
const BLIND = `
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  const { FileStore } = await import('loyalty-basket-client');
  const [path, calculationId] = process.argv.slice(1);
  const store = new FileStore(path);
  await store.load();
  const { open } = fs.promises;
  fs.promises.open = (target, flags, mode) =>
    flags === 'r' ? Promise.reject(new Error('EMFILE')) : open(target, flags, mode);
  syncBuiltinESMExports();
  const refused = await store.replace([]).catch((error) => error.message);
  const record = { kind: 'called', calculationId, atMs: 1 };
  const stillRefused = await store.append([record]).catch((error) => error.message);
  fs.promises.open = open;
  syncBuiltinESMExports();
  await store.append([record]);
  console.log(refused, stillRefused);
  process.kill(process.pid, 'SIGKILL');`;

test('what is appended after a replacement that failed halfway is in the file that has the name', async () => {
  const path = await written([dueRecord()]);
  const { calculationId } = dueRecord();
  const args = ['--input-type=module', '--eval', BLIND, path, calculationId];
  const { stdout } = spawnSync(process.execPath, args, { cwd: import.meta.dirname, encoding: 'utf8' });
  // Until the folder was synced a crash of the machine might bring back the old file, so nothing counts as written.
  expect(stdout).toBe('EMFILE EMFILE\n');
  expect((await read(path)).records).toEqual([{ kind: 'called', calculationId, atMs: 1 }]);
});

test('replacing leaves the new records, and what is appended after it', async () => {
  const path = await written(Array.from({ length: 100 }, dueRecord));
  const store = new FileStore(path);
  const [kept, next] = [dueRecord(), dueRecord()];
  await store.load();
  await store.replace([kept]);
  await store.append([next]);
  await store.close();
  expect((await read(path)).records).toEqual([kept, next]);
  expect(readdirSync(join(path, '..'))).toEqual(['outbox.log', 'outbox.log.lock']);
});

test('a store that is closed twice takes no file from anybody else', async () => {
  const path = await written([]);
  const [first, second] = [new FileStore(path), new FileStore(path)];
  await first.load();
  await first.close();
  await second.load();
  await first.close();
  await expect(new FileStore(path).load()).rejects.toThrow(`process ${process.pid} on ${hostname()} uses this outbox`);
  await second.close();
});
