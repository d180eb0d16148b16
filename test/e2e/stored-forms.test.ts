/**
 * What was answered is answered again under another configuration, in every stored form. A stored answer that was spoilt is a
 * counted 500.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Random } from '../../packages/simulator/src/random.ts';
import { ROOT } from '../architecture/source.ts';
import type { Answer } from '../support/answer.ts';
import { basketOf, randomBasket, saleOf } from '../support/baskets.ts';
import { BASKET_PATH, bytesOf, isReplayOfOther } from '../support/caller.ts';
import { configurationOf, memberOf, TWENTY } from '../support/configuration.ts';
import { readingOf, scrape } from '../support/metrics.ts';
import { useSharedService } from '../support/shared-service.ts';
import { until } from '../support/wait.ts';

/** Another benefit, text and label, and other members. */
const after = configurationOf({
  programme: { memberLabel: 'Renamed', benefits: [{ ...TWENTY, percent: 30, text: 'New' }] },
  members: [memberOf('member-plain', ['twenty'], { memberLabel: 'Somebody' })],
});

const stage = useSharedService();

const bodies = new Map<string, Buffer>([
  ['digest', bytesOf(basketOf([{ quantity: 3 }, { name: 'Kaffe på rømme' }], { loyaltyId: 'member-twenty' }))],
  ['unchanged', bytesOf(basketOf([{}], { loyaltyId: 'member-plain' }))],
  ['unknown member', bytesOf(basketOf([{}], { loyaltyId: 'nobody' }))],
  ['large digest', bytesOf(randomBasket(new Random(5), 200))],
]);
const given = new Map<string, Answer>();

async function keyOf(calculationId: string): Promise<string> {
  const keys = await stage.redis.client.keys(`*:answer:*:${calculationId}`);
  expect(keys).toHaveLength(1);
  return keys[0]!;
}

function idOf(body: Buffer): string {
  return (JSON.parse(body.toString()) as { calculationId: string }).calculationId;
}

test('every form is stored', async () => {
  const firstBytes = new Map<string, number>();
  for (const [form, body] of bodies) {
    const answer = await stage.caller.send(BASKET_PATH, body);
    expect([answer.status, isReplayOfOther(answer)], form).toEqual([200, false]);
    given.set(form, answer);
    firstBytes.set(form, (await stage.redis.client.getBuffer(await keyOf(idOf(body))))![0]!);
  }
  expect(['digest', 'unknown member', 'large digest'].map((form) => firstBytes.get(form))).toEqual([22, 22, 22]);
});

test('each is answered again with its bytes under another configuration', async () => {
  await stage.service.configure(after);
  for (const [form, body] of bodies) {
    const again = await stage.caller.send(BASKET_PATH, body);
    expect([again.status, again.isReplayed], form).toEqual([200, true]);
    expect(again.bytes.equals(given.get(form)!.bytes), form).toBe(true);
  }
  // The configuration did change what a basket gets.
  const fresh = await stage.caller.basket(basketOf([{}], { loyaltyId: 'member-plain' }));
  expect(fresh.json()).toMatchObject({ status: 'applied', memberLabel: 'Somebody' });
});

test('a spoilt one is a counted 500 and nothing else, and a right one is answered again', async () => {
  const count = async () => readingOf(await scrape(stage.service), 'loyalty_events_total', { event: 'unreplayable' });
  const told = () => stage.service.log.filter(({ msg }) => msg === 'fault');
  const before = (await count()) ?? 0;
  let refused = 0;
  for (const form of ['digest', 'large digest']) {
    const body = bodies.get(form)!;
    const key = await keyOf(idOf(body));
    const stored = (await stage.redis.client.getBuffer(key))!;
    const later = Buffer.from(stored);
    later[0] = 0b11111_110;
    const turned = Buffer.from(stored);
    turned[turned.length >> 1]! ^= 4;
    for (const spoilt of [later, turned, stored.subarray(0, stored.length - 1)]) {
      await stage.redis.client.set(key, spoilt, 'KEEPTTL');
      const answer = await stage.caller.send(BASKET_PATH, body);
      refused += 1;
      expect([answer.status, answer.code, answer.isReplayed], form).toEqual([500, 'internal_error', false]);
    }
    await stage.redis.client.set(key, stored, 'KEEPTTL');
    expect((await stage.caller.send(BASKET_PATH, body)).bytes.equals(given.get(form)!.bytes)).toBe(true);
  }
  expect(await count()).toBe(before + refused);
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
    expect((await stage.caller.send(BASKET_PATH, body)).status).toBe(200);
    expect((await stage.caller.send(BASKET_PATH, body)).isReplayed).toBe(true);
    const compare = async (kind: string, row: string): Promise<void> => {
      const [key] = await stage.redis.client.keys(`*:${kind}:*${idOf(body)}*`);
      expect(await stage.redis.client.memory('USAGE', key!, 'SAMPLES', 0), `${what}: ${row}`).toBeLessThanOrEqual(
        most(row),
      );
    };
    for (const kind of ['answer', 'calc', 'index']) await compare(kind, kind);
    expect((await stage.caller.sale(saleOf(idOf(body)))).status).toBe(200);
    await compare('calc', 'sold');
  }
});
