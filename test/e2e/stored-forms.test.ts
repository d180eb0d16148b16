/**
 * What was answered is answered again after a restart, in every stored form and under another configuration: the digest,
 * deflate, and deflate as the version before the digest stored it. A stored answer that was spoilt is a counted 500.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Random } from '../../packages/simulator/src/random.ts';
import { ROOT } from '../architecture/source.ts';
import type { Answer } from '../support/answer.ts';
import { basketOf, randomBasket, saleOf } from '../support/baskets.ts';
import { BASKET_PATH, bytesOf, type Caller } from '../support/caller.ts';
import { cleanUp } from '../support/cleanup.ts';
import { configurationOf, memberOf, TWENTY } from '../support/configuration.ts';
import { readingOf, scrape } from '../support/metrics.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Service } from '../support/service.ts';
import { newSecret } from '../support/signer.ts';
import { until } from '../support/wait.ts';

const secrets = [newSecret()];
const before = configurationOf();
/** Another benefit, text and label, and other members. */
const after = configurationOf({
  programme: { memberLabel: 'Renamed', benefits: [{ ...TWENTY, percent: 30, text: 'New' }] },
  members: [memberOf('member-plain', ['twenty'], { memberLabel: 'Somebody' })],
});

let redis: RedisServer;
let service: Service;
let caller: Caller;

async function startService(configuration: typeof before): Promise<void> {
  service = await Service.start({ redisUrl: redis.url, secrets, configuration });
  caller = service.newCaller();
}

beforeAll(async () => {
  redis = await RedisServer.launch();
  await startService(before);
});

afterAll(async () => {
  try {
    await service.stop();
    await redis.stop();
  } finally {
    cleanUp();
  }
});

const bodies = new Map<string, Buffer>([
  ['digest', bytesOf(basketOf([{ quantity: 3 }, { name: 'Kaffe på rømme' }], { loyaltyId: 'member-twenty' }))],
  ['unchanged', bytesOf(basketOf([{}], { loyaltyId: 'member-plain' }))],
  ['unknown member', bytesOf(basketOf([{}], { loyaltyId: 'nobody' }))],
  ['large digest', bytesOf(randomBasket(new Random(5), 200))],
]);
const given = new Map<string, Answer>();

async function keyOf(calculationId: string): Promise<string> {
  const keys = await redis.client.keys(`*:answer:*:${calculationId}`);
  expect(keys).toHaveLength(1);
  return keys[0]!;
}

function idOf(body: Buffer): string {
  return (JSON.parse(body.toString()) as { calculationId: string }).calculationId;
}

test('every form is stored', async () => {
  const firstBytes = new Map<string, number>();
  for (const [form, body] of bodies) {
    const answer = await caller.send(BASKET_PATH, body);
    expect([answer.status, answer.isReplayed], form).toEqual([200, false]);
    given.set(form, answer);
    firstBytes.set(form, (await redis.client.getBuffer(await keyOf(idOf(body))))![0]!);
  }
  expect(['digest', 'unknown member', 'large digest'].map((form) => firstBytes.get(form))).toEqual([22, 22, 22]);
});

test('each is answered again with its bytes after a restart with another configuration', async () => {
  await service.stop();
  await startService(after);
  for (const [form, body] of bodies) {
    const again = await caller.send(BASKET_PATH, body);
    expect([again.status, again.isReplayed], form).toEqual([200, true]);
    expect(again.bytes.equals(given.get(form)!.bytes), form).toBe(true);
  }
  // The configuration did change what a basket gets.
  const fresh = await caller.basket(basketOf([{}], { loyaltyId: 'member-plain' }));
  expect(fresh.json()).toMatchObject({ status: 'applied', memberLabel: 'Somebody' });
});

test('a spoilt one is a counted 500 and nothing else, and a right one is answered again', async () => {
  const count = async () => readingOf(await scrape(service), 'loyalty_events_total', { event: 'unreplayable' });
  const told = () => service.log.filter(({ msg }) => msg === 'fault');
  expect([await count(), told()]).toEqual([0, []]);
  let refused = 0;
  for (const form of ['digest', 'large digest']) {
    const body = bodies.get(form)!;
    const key = await keyOf(idOf(body));
    const stored = (await redis.client.getBuffer(key))!;
    const later = Buffer.from(stored);
    later[0] = 0b11111_110;
    const turned = Buffer.from(stored);
    turned[turned.length >> 1]! ^= 4;
    for (const spoilt of [later, turned, stored.subarray(0, stored.length - 1)]) {
      await redis.client.set(key, spoilt, 'KEEPTTL');
      const answer = await caller.send(BASKET_PATH, body);
      refused += 1;
      expect([answer.status, answer.code, answer.isReplayed], form).toEqual([500, 'internal_error', false]);
    }
    await redis.client.set(key, stored, 'KEEPTTL');
    expect((await caller.send(BASKET_PATH, body)).bytes.equals(given.get(form)!.bytes)).toBe(true);
  }
  expect(await count()).toBe(refused);
  await until('a line of each', () => told().length >= refused);
  expect(told()).toHaveLength(refused);
  for (const { fault } of told()) expect(String(fault)).toContain('cannot be replayed');
});

test('a stored basket takes no more of Redis than the page on capacity says, whatever its texts', async () => {
  const page = readFileSync(join(ROOT, 'docs', 'operations.md'), 'utf8');
  const most = (kind: string): number =>
    Number(new RegExp(`\\| ${kind} \\|[^|]*\\| at most ([\\d,]+) \\|`).exec(page)?.[1]?.replace(',', ''));
  const random = new Random(7);
  const noise = (bytes: number): string => random.bytes(bytes).toString('base64').slice(0, bytes);
  const texts: Record<string, object> = {
    names: { name: noise(900) },
    identifiers: { productId: noise(150), productMasterId: noise(150), productGroupId: noise(150), ean: noise(60) },
  };
  for (const [what, words] of Object.entries(texts)) {
    const body = bytesOf(
      basketOf(Array.from({ length: 200 }, (_, line) => ({ ...words, lineId: `${line}-${noise(100)}` }))),
    );
    expect(body.length, what).toBeGreaterThan(150_000);
    expect((await caller.send(BASKET_PATH, body)).status).toBe(200);
    expect((await caller.send(BASKET_PATH, body)).isReplayed).toBe(true);
    const compare = async (kind: string, row: string): Promise<void> => {
      const [key] = await redis.client.keys(`*:${kind}:*${idOf(body)}*`);
      expect(await redis.client.memory('USAGE', key!, 'SAMPLES', 0), `${what}: ${row}`).toBeLessThanOrEqual(most(row));
    };
    for (const kind of ['answer', 'calc', 'index']) await compare(kind, kind);
    expect((await caller.sale(saleOf(idOf(body)))).status).toBe(200);
    await compare('calc', 'sold');
  }
});
