/**
 * Thousands of spoilt bodies, rightly signed, from seeds: each is answered 200, 400, 409 or 422 in the right form, and
 * never 500. Whatever is still a correct basket is priced correctly, which the judge of every answer sees to.
 */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { Random } from '../../packages/simulator/src/random.ts';
import { basketOf, randomBasket, saleOf } from '../support/baskets.ts';
import { BASKET_PATH, bytesOf, patiently, SALE_PATH } from '../support/caller.ts';
import { useSharedService } from '../support/shared-service.ts';

const stage = useSharedService();
const PER_SEED = 250;
/** More at once would be shed by admission on a busy machine, and be no test of a body. */
const AT_ONCE = 10;

const HOSTILE: readonly unknown[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  0.1,
  1.5,
  1e-7,
  1e21,
  2 ** 53 - 1,
  2 ** 53,
  -(2 ** 53),
  1e308,
  '',
  ' ',
  '0',
  '1',
  'none',
  'percent',
  'amount',
  'pos',
  'NOK',
  'line-1',
  '__proto__',
  'constructor',
  'x'.repeat(41),
  'x'.repeat(300),
  '\u0000',
  '\ud800',
  '🍪',
  '{}',
  '2026-11-20T12:00:00Z',
  '1e999',
  [],
  [[]],
  [null],
  {},
  { length: 1 },
  { toString: 1 },
  [{}],
  new Array(201).fill({}),
];

/** Every place in the document, as the object that holds it and the name it has there. */
function placesOf(document: unknown): [parent: Record<string, unknown>, name: string][] {
  if (typeof document !== 'object' || document === null) return [];
  const parent = document as Record<string, unknown>;
  return Object.keys(parent).flatMap((name) => [[parent, name] as [typeof parent, string], ...placesOf(parent[name])]);
}

/** A value somewhere is replaced by a hostile one, by another of the document, or taken away. */
function spoilValues(random: Random, body: object): Buffer {
  const document = structuredClone(body);
  const count = random.between(1, 3);
  for (let change = 0; change < count; change += 1) {
    const places = placesOf(document);
    if (places.length === 0) break;
    const [parent, name] = random.pick(places);
    const choice = random.next();
    if (choice < 0.15) delete parent[name];
    else if (choice < 0.3) {
      const [otherParent, otherName] = random.pick(places);
      parent[name] = structuredClone(otherParent[otherName]);
    } else parent[name] = structuredClone(random.pick(HOSTILE));
  }
  return bytesOf(document);
}

/** Some bytes are flipped, cut out, doubled or made up. */
function spoilBytes(random: Random, body: object): Buffer {
  let bytes = bytesOf(body);
  const count = random.between(1, 4);
  for (let change = 0; change < count; change += 1) {
    const at = random.between(0, bytes.length - 1);
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
    const choice = random.next();
    if (choice < 0.4)
      bytes = Buffer.concat([before, Buffer.of((after[0] ?? 0) ^ (1 << random.between(0, 7))), after.subarray(1)]);
    else if (choice < 0.6) bytes = Buffer.concat([before, after.subarray(random.between(1, 9))]);
    else if (choice < 0.8) bytes = Buffer.concat([before, after.subarray(0, random.between(1, 9)), after]);
    else bytes = Buffer.concat([before, random.bytes(random.between(1, 4)), after]);
  }
  return bytes;
}

const ways = { values: spoilValues, bytes: spoilBytes };
/** Four seeds of each kind in every run; `FUZZ_SEEDS=100` made 100,000 bodies once. */
const SEEDS = Array.from({ length: Number(process.env['FUZZ_SEEDS'] ?? 4) }, (_, index) => index + 1);
const rows = SEEDS.flatMap((seed) => [
  ['basket', 'values', seed] as const,
  ['basket', 'bytes', seed] as const,
  ['sale', 'values', seed] as const,
  ['sale', 'bytes', seed] as const,
]);

test.each(rows)('%s with spoilt %s, seed %d', async (kind, way, seed) => {
  const random = new Random(seed);
  const call = async (round: number): Promise<void> => {
    const basket = random.chance(0.3) ? randomBasket(random, random.between(1, 8)) : basketOf([{ existing: 5 }, {}]);
    const right =
      kind === 'basket' ? basket : saleOf(basket.calculationId, random.pick(['applied', 'failed', 'cancelled']));
    const body = ways[way](random, right);
    const headers = { 'Idempotency-Key': right.calculationId, 'X-Request-Id': randomUUID() };
    const path = kind === 'basket' ? BASKET_PATH : SALE_PATH;
    const answer = await patiently(() => stage.caller.send(path, body, { headers }));
    expect([200, 400, 409, 422], `round ${round} answered ${answer.status}: ${body.toString()}`).toContain(
      answer.status,
    );
  };
  for (let from = 0; from < PER_SEED; from += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, place) => call(from + place)));
  }
  expect(stage.service.isAlive).toBe(true);
});
