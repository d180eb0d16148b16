/** The outbox file: what a crash may leave of it, and who may have it. */
import { randomUUID } from 'node:crypto';
import { appendFileSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { FileStore, type OutboxRecord } from 'loyalty-basket-client';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../test/support/cleanup.ts';

function dueRecord(): OutboxRecord {
  const calculationId = randomUUID();
  return { kind: 'due', calculationId, atMs: 1, event: { calculationId, status: 'cancelled' } };
}

async function read(path: string): Promise<{ records: readonly OutboxRecord[]; faults: string[] }> {
  const faults: string[] = [];
  const store = new FileStore(path, (detail) => faults.push(detail));
  const records = await store.load();
  await store.close();
  return { records, faults };
}

async function written(records: readonly OutboxRecord[]): Promise<string> {
  const path = join(temporaryDirectory(), 'outbox.log');
  const store = new FileStore(path);
  expect(await store.load()).toEqual([]);
  await Promise.all(records.map((record) => store.append([record])));
  await store.close();
  return path;
}

test('what was appended is there, in order, readable by the owner only', async () => {
  const records = Array.from({ length: 500 }, dueRecord);
  const path = await written(records);
  expect(await read(path)).toEqual({ records, faults: [] });
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

test('a line that lost a byte is passed over, and those around it stay', async () => {
  const records = [dueRecord(), dueRecord(), dueRecord()];
  const path = await written(records);
  const lines = readFileSync(path, 'utf8').split('\n');
  lines[1] = lines[1]!.replace('cancelled', 'cancalled');
  writeFileSync(path, lines.join('\n'));
  appendFileSync(path, 'not a line of ours\n');
  const { records: found, faults } = await read(path);
  expect(found).toEqual([records[0], records[2]]);
  expect(faults).toEqual([expect.stringContaining('2 lines are not whole')]);
});

test('replacing leaves the new records, and what is appended meanwhile', async () => {
  const path = await written(Array.from({ length: 100 }, dueRecord));
  const store = new FileStore(path);
  const [kept, next] = [dueRecord(), dueRecord()];
  await store.load();
  const replaced = store.replace([kept]);
  const appended = store.append([next]);
  await Promise.all([replaced, appended]);
  await store.close();
  expect((await read(path)).records).toEqual([kept, next]);
  expect(readdirSync(join(path, '..'))).toEqual(['outbox.log', 'outbox.log.lock']);
});

test('two clients cannot have one file, but a dead one gives it up', async () => {
  const path = await written([]);
  const store = new FileStore(path);
  await store.load();
  await expect(new FileStore(path).load()).rejects.toThrow(`process ${process.pid} on ${hostname()} uses this outbox`);
  await store.close();
  // The content of a lock file is ignored, even the ID of a living process, because no process has the file open.
  for (const left of [`${process.pid} on ${hostname()}`, '999999999 1 boot', '']) {
    writeFileSync(`${path}.lock`, left);
    expect(await read(path)).toEqual({ records: [], faults: [] });
  }
});

test('a store that is closed twice takes no file from anybody else', async () => {
  const path = await written([]);
  const [first, second] = [new FileStore(path), new FileStore(path)];
  await first.load();
  await first.close();
  await second.load();
  await first.close();
  await expect(new FileStore(path).load()).rejects.toThrow('uses this outbox');
  await second.close();
});
