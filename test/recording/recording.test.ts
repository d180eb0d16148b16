/** The recording of answered baskets: what is in it, what is not, and that no call ever waits for it. */
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BasketRecord } from '../../src/recording/record.ts';
import { isSampled } from '../../src/recording/record.ts';
import { basketOf } from '../support/baskets.ts';
import { BASKET_PATH, patiently } from '../support/caller.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { readingOf, scrape } from '../support/metrics.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Service } from '../support/service.ts';
import { useSharedService } from '../support/shared-service.ts';
import { until } from '../support/wait.ts';

const shared = useSharedService();
let redis: RedisServer;
beforeAll(async () => {
  redis = await RedisServer.launch();
});
beforeEach(async () => {
  await redis.client.flushall();
});
afterAll(async () => {
  await redis.stop();
  cleanUp();
});

/** A service that records into `recordings` of its data directory. */
async function startRecording(env: Record<string, string>, dataDirectory = temporaryDirectory()) {
  const file = join(dataDirectory, 'recordings', 'baskets.ndjson');
  const service = await Service.start({ redisUrl: redis.url, dataDirectory, env: { RECORD_FILE: file, ...env } });
  return { service, folder: join(dataDirectory, 'recordings') };
}

function recordsOf(folder: string): BasketRecord[] {
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  return texts
    .join('')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as BasketRecord);
}

/** How often an event was counted so far. */
async function countOf(service: Service, event: string): Promise<number | undefined> {
  return readingOf(await scrape(service), 'loyalty_events_total', { event });
}

test('every basket is recorded, wherever it is priced, and nobody is named; a member keeps its pseudonym over a restart and in every process', async () => {
  const dataDirectory = temporaryDirectory();
  const { service, folder } = await startRecording({ RECORD_SAMPLE: '1' }, dataDirectory);
  const caller = service.newCaller();
  const context = { ...basketOf().context, clerkNumber: 77 };
  const lines = [{ unitPrice: 10_000, guestName: 'Anna Secret' } as object];
  const twenty = basketOf(lines, { context, streetAddress: 'Secret street 1', deep: 0 } as object);
  // A field nested thousands deep is in the way of neither the answer nor the record.
  const nested = JSON.stringify(twenty).replace('"deep":0', `"deep":${'['.repeat(7_000)}${']'.repeat(7_000)}`);
  const single = basketOf([{}], { loyaltyId: 'member-single' });
  // Too large for the event loop: a thread prices it.
  const large = basketOf(
    Array.from({ length: 60 }, () => ({ name: 'x'.repeat(300) })),
    { loyaltyId: 'member-single' },
  );
  const unknown = basketOf([{}], { loyaltyId: 'member-nobody' });
  for (const body of [nested, nested, ...[single, large, unknown].map((basket) => JSON.stringify(basket))]) {
    expect((await patiently(() => caller.send(BASKET_PATH, body))).status).toBe(200);
  }
  expect((await caller.basket(basketOf([{}], { currency: 'SEK' }))).status).toBe(422);
  expect(await countOf(service, 'recorded')).toBe(4);
  expect(await countOf(service, 'record_dropped')).toBe(0);
  expect(readingOf(await scrape(service), 'loyalty_pool_handed_over_total')).toBe(1);
  await service.stop();

  const records = recordsOf(folder);
  expect(records.map(({ basket }) => basket.calculationId)).toEqual(
    [twenty, single, large, unknown].map(({ calculationId }) => calculationId),
  );
  expect(records[0]).toMatchObject({
    member: { status: 'active', grants: ['twenty'] },
    used: {},
    answer: { status: 'applied', total: 8_000 },
    basket: { totals: { total: 10_000 }, lines: [{ unitPrice: 10_000 }] },
  });
  expect(records.slice(1).map(({ used, answer }) => [used, answer.status])).toEqual([
    [{}, 'applied'],
    [{ 'single-use:*': 1 }, 'unchanged'],
    [{}, 'member_not_found'],
  ]);
  for (const { basket, clockOffsetMs, recordedAt } of records) {
    const behindMs = Date.parse(recordedAt) - Date.parse(basket.requestedAt);
    expect(Math.abs(behindMs + Number(clockOffsetMs))).toBeLessThan(5_000);
  }
  expect(records[3]?.member).toBeNull();
  const names = records.map(({ basket }) => basket.loyaltyId);
  expect(names[1]).toBe(names[2]);
  expect(new Set(names).size).toBe(3);
  const text = JSON.stringify(records);
  for (const secret of ['member-', 'Secret', 'clerkNumber', 'guestName', 'deep']) expect(text).not.toContain(secret);

  // Several processes write files of their own.
  const several = await startRecording({ RECORD_SAMPLE: '1', PROCESSES: '2' }, dataDirectory);
  const baskets = Array.from({ length: 24 }, () => basketOf());
  // Each caller has a connection of its own, and the kernel spreads connections.
  const answers = await Promise.all(baskets.map((basket) => several.service.newCaller().basket(basket)));
  await several.service.stop();
  const numbers = readdirSync(folder).map((name) => /^baskets-([12])\./.exec(name)?.[1]);
  expect(new Set(numbers)).toEqual(new Set(['1', '2']));
  const answered = baskets.filter((_, index) => answers[index]?.status === 200);
  const later = recordsOf(folder).filter(({ basket }) => !text.includes(basket.calculationId));
  const recorded = new Set(later.map(({ basket }) => basket.calculationId));
  for (const { calculationId } of answered) expect(recorded).toContain(calculationId);
  expect(new Set(later.map(({ basket }) => basket.loyaltyId))).toEqual(new Set([names[0]]));
  const files = [join(dataDirectory, 'recording.key'), ...readdirSync(folder).map((name) => join(folder, name))];
  for (const file of files) expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('nothing is recorded unless it is asked for', async () => {
  expect((await shared.caller.basket(basketOf())).status).toBe(200);
  expect(await countOf(shared.service, 'recorded')).toBe(0);
  expect(readdirSync(shared.service.dataDirectory).filter((name) => /record|basket/.test(name))).toEqual([]);
});

test('calls are answered while the disk is full, and what it did not take is counted', async () => {
  const dataDirectory = temporaryDirectory();
  const folder = join(dataDirectory, 'recordings');
  mkdirSync(folder);
  // The day's file leads to a device that is always full; the day may change before the service starts.
  for (const days of [0, 1]) {
    const day = new Date(Date.now() + days * 86_400_000).toLocaleDateString('sv');
    symlinkSync('/dev/full', join(folder, `baskets-1.${day}.1.ndjson`));
  }
  const { service } = await startRecording({ RECORD_SAMPLE: '1' }, dataDirectory);
  const caller = service.newCaller();
  const wide = Array.from({ length: 190 }, (_, index) => ({ name: `${index} ${'x'.repeat(800)}` }));
  await until('the buffer to be full', async () => {
    const basket = basketOf(wide);
    expect((await patiently(() => caller.basket(basket))).status).toBe(200);
    return ((await countOf(service, 'record_dropped')) ?? 0) > 0;
  });
  const basket = basketOf();
  expect((await patiently(() => caller.basket(basket))).status).toBe(200);
  const told = () => service.log.filter(({ msg }) => msg === 'recording');
  await until('a line', () => told().length > 0);
  expect(told()).toEqual([expect.objectContaining({ level: 'warn', reason: expect.stringContaining('ENOSPC') })]);
  await service.stop();
});

describe('the sample', () => {
  const key = new Uint8Array(32);
  const ids = Array.from({ length: 5000 }, () => basketOf().calculationId);
  test.each([
    [0, 0, 0],
    [0.1, 400, 600],
    [1, 5000, 5000],
  ])('of %d is about that share of the calculations', (sample, least, most) => {
    const taken = ids.filter((id) => isSampled({ sample, key }, id)).length;
    expect(taken).toBeGreaterThanOrEqual(least);
    expect(taken).toBeLessThanOrEqual(most);
  });
});
