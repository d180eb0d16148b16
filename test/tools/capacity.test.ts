/** `npx loyalty capacity`: its figures are compared with what real calls leave in Redis and in the log. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import * as figures from '../../packages/tools/src/capacity/figures.ts';
import { type PlannedLoad, planCapacity } from '../../packages/tools/src/capacity/plan.ts';
import type { PlannedSettings } from '../../packages/tools/src/capacity/settings.ts';
import { makeUpBaskets } from '../../packages/tools/src/load/calls.ts';
import { ROOT } from '../architecture/source.ts';
import { OSLO, saleOf } from '../support/baskets.ts';
import { runCommand } from '../support/run-command.ts';
import { useSharedService } from '../support/shared-service.ts';
import { until } from '../support/wait.ts';

const stage = useSharedService();

const BASKETS = 150;
const PLACE = { venueId: OSLO.venueId, baxId: OSLO.baxId, currency: 'NOK', cashRegisterId: 'till-1' };
/** How far a real run may be from the plan. */
const TOLERANCE = 0.15;

/** Bytes in Redis by the kind of their keys, by `MEMORY USAGE`. */
async function bytesByKind(): Promise<Map<string, number>> {
  const { client } = stage.redis;
  const bytes = new Map<string, number>();
  for (const key of await client.keys('*')) {
    const kind = key.split(':')[2]!;
    bytes.set(kind, (bytes.get(kind) ?? 0) + ((await client.memory('USAGE', key, 'SAMPLES', 0)) ?? 0));
  }
  return bytes;
}

/** Sends baskets and their sales to an empty Redis, all of them with benefits, and looks at what they left. */
async function run(shape: figures.BasketShape) {
  const { service, redis, caller } = stage;
  const isOfCall = ({ httpStatus }: Record<string, unknown>) => httpStatus === 200;
  const loggedBefore = service.log.filter(isOfCall).length;
  for (const kind of ['answer', 'calc', 'index', 'receipt', 'events', 'due']) {
    const keys = await redis.client.keys(`loyalty:staging:${kind}:*`);
    if (keys.length > 0) await redis.client.del(keys);
  }
  const baskets = makeUpBaskets(PLACE, shape.lines, 1);
  const calls = Array.from({ length: BASKETS }, (_, at) => {
    const basket = baskets[at % baskets.length]!;
    const lines = basket.lines.map((line) => (shape.hasLongLineIds ? { ...line, lineId: randomUUID() } : line));
    return { ...basket, calculationId: randomUUID(), loyaltyId: 'member-twenty', lines };
  });
  for (const body of calls) expect((await caller.send('/v1/pos/basket', body)).status).toBe(200);
  const open = await bytesByKind();
  for (const { calculationId } of calls) {
    expect((await caller.sale(saleOf(calculationId, 'applied', { transactionId: randomUUID() }))).status).toBe(200);
  }
  await until('the lines of all calls', () => service.log.filter(isOfCall).length >= loggedBefore + 2 * BASKETS);
  const log = service.output.filter((line) => line.startsWith('{') && isOfCall(JSON.parse(line)));
  return { open, sold: await bytesByKind(), log: `${log.slice(loggedBefore).join('\n')}\n` };
}

/** The name and how far the found bytes are from the planned ones, where that is too far. */
function farFrom(planned: Readonly<Record<string, number>>, found: ReadonlyMap<string, number>): string[] {
  return Object.entries(planned).flatMap(([kind, each]) => {
    const real = (found.get(kind) ?? 0) / BASKETS;
    return Math.abs(each - real) <= TOLERANCE * real ? [] : [`${kind}: planned ${each}, found ${real}`];
  });
}

test.each([
  { lines: 5, hasLongLineIds: false },
  { lines: 20, hasLongLineIds: true },
])('baskets of $lines lines, UUIDs: $hasLongLineIds, take of Redis and of the log what is planned', async (shape) => {
  const { open, sold, log } = await run(shape);
  const always = { answer: figures.answerBytes(shape), index: figures.INDEX_BYTES };
  expect(farFrom({ ...always, calc: figures.calculationBytes(shape), due: figures.DUE_BYTES }, open)).toEqual([]);
  const ofSale = { calc: figures.soldBytes(shape), receipt: figures.RECEIPT_BYTES, events: figures.eventBytes(shape) };
  expect(farFrom({ ...always, ...ofSale }, sold)).toEqual([]);
  const logged = new Map([
    ['lines', log.length],
    ['share', (gzipSync(log).length / log.length) * BASKETS],
  ]);
  expect(farFrom({ lines: 2 * figures.LOG_LINE_BYTES, share: figures.COMPRESSED_SHARE }, logged)).toEqual([]);
});

const LOAD: PlannedLoad = {
  basketsPerSecond: 100,
  shape: { lines: 20, hasLongLineIds: false },
  soldShare: 0.25,
  returnedShare: 0.1,
  members: 1000,
};
const SETTINGS: PlannedSettings = {
  answerDays: 1,
  holdDays: 0,
  retentionDays: 7,
  soldDays: 30,
  hasEventLines: true,
  costRows: 100,
  costDays: 400,
  logsCalls: true,
  logDays: 90,
  recording: undefined,
  processes: 2,
  workers: 3,
};

const WITHOUT_LINES = Number((figures.EVENT_BYTES / figures.eventBytes(LOAD.shape)).toFixed(2));
const SOLD = { 'sold baskets': 0.5, 'receipt numbers': 0.5, returns: 0.5 };
const EVENTS = { 'events of sales': WITHOUT_LINES, 'events of expiries': WITHOUT_LINES };
const UNSOLD = { 'unsold baskets': 2, 'events of sales': 2, 'events of expiries': 2, 'events of returns': 2 };

// What the parts are at one load and one setting, with their sums, the page on operations shows (below).
test.each<[string, Partial<PlannedSettings & PlannedLoad>, Record<string, number>]>([
  ['answers', { answerDays: 2 }, { 'answers, for retries': 2 }],
  ['unsold baskets and events', { retentionDays: 14 }, UNSOLD],
  ['events without lines', { hasEventLines: false }, EVENTS],
  ['sold baskets', { soldDays: 15 }, SOLD],
  ['costs', { costDays: 200 }, { 'costs, by day and benefit': 0.5 }],
  ['returns', { returnedShare: 0.2 }, { returns: 2, 'events of returns': 2 }],
  ['members', { members: 3000 }, { members: 3 }],
])('the plan of %s follows their own settings, and nothing else does', (_, changed, expected) => {
  const bytesBefore = new Map(planCapacity(LOAD, SETTINGS).redis.map(({ name, bytes }) => [name, bytes]));
  const { redis } = planCapacity({ ...LOAD, ...changed }, { ...SETTINGS, ...changed });
  const ratios = redis.map(({ name, bytes }) => [name, Number((bytes / bytesBefore.get(name)!).toFixed(2))]);
  expect(Object.fromEntries(ratios.filter(([, ratio]) => ratio !== 1))).toEqual(expected);
});

test('files and threads are provided for, and one process at least', () => {
  const recording = { share: 0.01, files: 31, fileBytes: 128e6 };
  const plan = planCapacity(LOAD, { ...SETTINGS, recording });
  // Both processes fill more than a file a day.
  expect(plan.recordingDiskBytes).toBe(2 * 31 * 128e6);
  expect(plan.serviceMemoryBytes).toBe(2 * (512e6 + 2 * 128e6));
  expect(planCapacity(LOAD, { ...SETTINGS, logsCalls: false }).logDiskBytes).toBe(0);
  expect(planCapacity({ ...LOAD, basketsPerSecond: 0 }, SETTINGS).cores).toBe(2);
});

const capacity = (env: Record<string, string>, ...args: string[]) => runCommand(['capacity', ...args], env);

test('the command prints what the page on operations shows', async () => {
  const page = readFileSync(join(ROOT, 'docs', 'operations.md'), 'utf8');
  const [, command, output] = /```sh\n(PROCESSES=.*capacity.*)\n```\n\n```text\n([\s\S]*?)```/.exec(page)!;
  const words = command!.split(' ');
  const env = Object.fromEntries(words.filter((word) => /^[A-Z]+=/.test(word)).map((word) => word.split('=')));
  const { stdout, stderr } = await capacity(env, ...words.slice(words.indexOf('capacity') + 1));
  expect({ stdout, stderr }).toEqual({ stdout: output, stderr: '' });
});

test('the command reads the settings in force', async () => {
  const { dataDirectory } = stage.service;
  const env = { RECORD_FILE: join(dataDirectory, 'baskets.ndjson'), RECORD_SAMPLE: '0.5', LOG_LEVEL: 'warn' };
  const config = join(dataDirectory, 'environment.yaml');
  const { stdout } = await capacity(env, '--json', '--config', config, '--baskets-per-second', '1');
  const { plan, settings } = JSON.parse(stdout);
  expect(settings).toMatchObject({ recording: { share: 0.5 }, logsCalls: false, soldDays: 30 });
  // Oslo has one currency and Bergen two; both have three benefits, and two rows about all baskets.
  expect(settings.costRows).toBe(15);
  expect(plan.recordingDiskBytes).toBeGreaterThan(0);
});
