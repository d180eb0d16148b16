/** `npx loyalty capacity`: its figures are compared with what real calls leave in Redis and in the log. */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, test } from 'vitest';
import * as figures from '../../packages/tools/src/capacity/figures.ts';
import { type PlannedLoad, type PlannedSettings, planCapacity } from '../../packages/tools/src/capacity/plan.ts';
import { makeUpBaskets } from '../../packages/tools/src/load/calls.ts';
import { ROOT } from '../architecture/source.ts';
import { OSLO, saleOf } from '../support/baskets.ts';
import { quickStart } from '../support/quick-start.ts';
import { useSharedService } from '../support/shared-service.ts';
import { until } from '../support/wait.ts';

const stage = useSharedService();

const BASKETS = 150;
const PLACE = { venueId: OSLO.venueId, baxId: OSLO.baxId, currency: 'NOK', cashRegisterId: 'till-1' };
/** How far a real run may be from the plan. */
const TOLERANCE = 0.15;

interface Found {
  /** Bytes by the kind of their keys, by `MEMORY USAGE`. */
  readonly open: ReadonlyMap<string, number>;
  readonly sold: ReadonlyMap<string, number>;
  readonly log: readonly string[];
}

/** Sends baskets and their sales to an empty Redis, all of them with benefits, and looks at what they left. */
async function run(shape: figures.BasketShape): Promise<Found> {
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
  return { open, sold: await bytesByKind(), log: log.slice(loggedBefore) };
}

async function bytesByKind(): Promise<Map<string, number>> {
  const { client } = stage.redis;
  const bytes = new Map<string, number>();
  for (const key of await client.keys('*')) {
    const kind = key.split(':')[2]!;
    bytes.set(kind, (bytes.get(kind) ?? 0) + ((await client.memory('USAGE', key, 'SAMPLES', 0)) ?? 0));
  }
  return bytes;
}

/** The name and how far the found bytes are from the planned ones, where that is too far. */
function farFrom(planned: Readonly<Record<string, number>>, found: ReadonlyMap<string, number>): string[] {
  return Object.entries(planned).flatMap(([kind, each]) => {
    const real = (found.get(kind) ?? 0) / BASKETS;
    return Math.abs(each - real) <= TOLERANCE * real ? [] : [`${kind}: planned ${each}, found ${real}`];
  });
}

describe.each([
  { lines: 5, hasLongLineIds: false },
  { lines: 20, hasLongLineIds: false },
  { lines: 20, hasLongLineIds: true },
])('baskets of $lines lines, UUIDs: $hasLongLineIds', (shape) => {
  it('take of Redis and of the log what is planned', async () => {
    const { open, sold, log } = await run(shape);
    const always = { answer: figures.answerBytes(shape), index: figures.INDEX_BYTES };
    const openPlanned = { ...always, calc: figures.calculationBytes(shape), due: figures.DUE_BYTES };
    const soldPlanned = {
      ...always,
      calc: figures.soldBytes(shape),
      receipt: figures.RECEIPT_BYTES,
      events: figures.eventBytes(shape),
    };
    expect(farFrom(openPlanned, open)).toEqual([]);
    expect(farFrom(soldPlanned, sold)).toEqual([]);
    const sum = (planned: object) => Object.values(planned).reduce((all: number, each: number) => all + each, 0);
    const kinds = Object.keys(soldPlanned);
    expect(
      farFrom(
        { all: sum(soldPlanned) },
        new Map([['all', kinds.reduce((all, kind) => all + (sold.get(kind) ?? 0), 0)]]),
      ),
    ).toEqual([]);

    const text = `${log.join('\n')}\n`;
    expect(farFrom({ line: 2 * figures.LOG_LINE_BYTES }, new Map([['line', text.length]]))).toEqual([]);
    expect(
      farFrom(
        { compressed: figures.COMPRESSED_SHARE * BASKETS },
        new Map([['compressed', (gzipSync(text).length / text.length) * BASKETS * BASKETS]]),
      ),
    ).toEqual([]);
  });
});

const LOAD: PlannedLoad = {
  basketsPerSecond: 100,
  shape: { lines: 20, hasLongLineIds: false },
  soldShare: 1,
  returnedShare: 0,
  members: 0,
};
const SETTINGS: PlannedSettings = {
  ...{ answerDays: 1, holdDays: 0, retentionDays: 7, soldDays: 30, hasEventLines: true, costRows: 0, costDays: 400 },
  ...{ logsCalls: true, logDays: 90, recording: undefined, processes: 2, workers: 3 },
};

describe('the formula', () => {
  const bytesOf = (name: string, more: Partial<PlannedSettings> = {}, load: Partial<PlannedLoad> = {}) =>
    planCapacity({ ...LOAD, ...load }, { ...SETTINGS, ...more }).redis.find((part) => part.name === name)?.bytes ?? 0;

  it('follows every setting that decides how long something is kept', () => {
    const perDay = 100 * 86_400;
    expect(bytesOf('answers, for retries')).toBeCloseTo(perDay * (figures.answerBytes(LOAD.shape) + 50));
    expect(bytesOf('answers, for retries', { answerDays: 2 })).toBe(2 * bytesOf('answers, for retries'));
    for (const name of ['sold baskets', 'receipt numbers']) {
      expect(bytesOf(name, { soldDays: 7 }) / bytesOf(name)).toBeCloseTo(7 / 30);
    }
    expect(bytesOf('events of sales', { retentionDays: 14 })).toBe(2 * bytesOf('events of sales'));
    expect(bytesOf('events of sales', { hasEventLines: false })).toBe(perDay * 7 * figures.EVENT_BYTES);
    expect(bytesOf('costs, by day and benefit', { costRows: 100 })).toBe(100 * 400 * figures.COST_ROW_BYTES);
    expect(bytesOf('members', {}, { members: 1000 })).toBe(1000 * (figures.MEMBER_BYTES + 100));
  });

  it('keeps unsold baskets for the retention alone, and returns with their sales', () => {
    const load = { soldShare: 0.25, returnedShare: 0.1 };
    const each = figures.calculationBytes(LOAD.shape) + figures.INDEX_BYTES + 100;
    expect(bytesOf('unsold baskets', {}, load)).toBeCloseTo(75 * 86_400 * 7 * each);
    expect(bytesOf('sold baskets', {}, load)).toBeCloseTo(0.25 * bytesOf('sold baskets'));
    expect(bytesOf('returns', {}, load)).toBeCloseTo(2.5 * 86_400 * 30 * (figures.RETURN_BYTES + 50));
  });

  it('sums up Redis, and provides for its rewrite, the log, recordings and threads', () => {
    const recording = { share: 0.01, files: 31, fileBytes: 128e6 };
    const plan = planCapacity(LOAD, { ...SETTINGS, recording });
    expect(plan.redisBytes).toBe(plan.redis.reduce((sum, { bytes }) => sum + bytes, 0));
    expect([plan.redisMemoryBytes, plan.redisDiskBytes]).toEqual([2 * plan.redisBytes, 3 * plan.redisBytes]);
    expect(plan.logBytesPerDay).toBe(200 * 86_400 * figures.LOG_LINE_BYTES);
    expect(plan.logDiskBytes / plan.logBytesPerDay).toBeCloseTo(2 + 90 * figures.COMPRESSED_SHARE);
    // Both processes fill more than a file a day.
    expect(plan.recordingDiskBytes).toBe(2 * 31 * 128e6);
    expect(plan.serviceMemoryBytes).toBe(2 * (512e6 + 2 * 128e6));
    expect(planCapacity(LOAD, { ...SETTINGS, logsCalls: false }).logDiskBytes).toBe(0);
    expect(planCapacity({ ...LOAD, basketsPerSecond: 0 }, SETTINGS).cores).toBe(2);
  });
});

describe('the command', () => {
  const capacity = (env: Record<string, string>, ...args: string[]) =>
    spawnSync(process.execPath, ['packages/tools/src/loyalty.ts', 'capacity', ...args], {
      ...{ cwd: ROOT, encoding: 'utf8', env: quickStart({ PATH: process.env.PATH ?? '', ...env }) },
    });

  test('prints what the page on operations shows', () => {
    const page = readFileSync(join(ROOT, 'docs', 'operations.md'), 'utf8');
    const [, command, output] = /```sh\n(PROCESSES=.*capacity.*)\n```\n\n```text\n([\s\S]*?)```/.exec(page)!;
    const words = command!.split(' ');
    const env = Object.fromEntries(words.filter((word) => /^[A-Z]+=/.test(word)).map((word) => word.split('=')));
    const { stdout, stderr } = capacity(env, ...words.slice(words.indexOf('capacity') + 1));
    expect(stderr).toBe('');
    expect(stdout).toBe(output);
  });

  test('reads the settings in force, and refuses what it cannot plan', () => {
    const env = {
      RECORD_FILE: join(stage.service.dataDirectory, 'baskets.ndjson'),
      RECORD_SAMPLE: '0.5',
      LOG_LEVEL: 'warn',
    };
    const config = join(stage.service.dataDirectory, 'environment.yaml');
    const { plan, settings } = JSON.parse(
      capacity(env, '--json', '--config', config, '--baskets-per-second', '1').stdout,
    );
    expect(settings).toMatchObject({ recording: { share: 0.5 }, logsCalls: false, soldDays: 30 });
    // Oslo has one currency and Bergen two; both have three benefits, and two rows about all baskets.
    expect(settings.costRows).toBe(15);
    expect(plan.recordingDiskBytes).toBeGreaterThan(0);
    expect(capacity({}, '--lines', 'many')).toMatchObject({
      status: 2,
      stderr: "capacity: option '--lines <n>' argument 'many' is invalid. Allowed: a whole number from 1 to 200.\n",
    });
  });
});
