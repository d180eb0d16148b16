/**
 * The two ways of reading a body lead to the same bytes: into byte texts, and into texts (src/calls/read-call.ts). Random
 * baskets of shops whose names lie in every plane of Unicode, in any spelling of JSON. `FORMS_SEED=n` draws others,
 * `FORMS_BASKETS=200000` more of them.
 */
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { readBasketInBytes } from '../../src/basket/basket-in-bytes.ts';
import { priceAnswer, renderMemberNotFound } from '../../src/calls/answer.ts';
import { type BasketHead, type ReadCall, readCall, readOrdinary } from '../../src/calls/read-call.ts';
import { replayAnswer, storedForm } from '../../src/calls/stored/stored-answer.ts';
import { decoded, sealed, toByteText, toText } from '../../src/contract/byte-text.ts';
import { limitedUses } from '../../src/pricing/price.ts';
import type { Environment } from '../../src/programme/environment.ts';
import { Random } from '../../src/tools/simulator/random.ts';
import { randomText, spellJson } from './forms/json-spelling.ts';
import { randomShop, type Shop, shopBasket } from './forms/shop.ts';

const SEED = Number(process.env['FORMS_SEED'] ?? 20_261_122);
const BASKETS = Number(process.env['FORMS_BASKETS'] ?? 3_000);
const BASKETS_PER_SHOP = 50;
const TIMEOUT_MS = 60_000 + BASKETS * 40;

const HOSTILE: readonly unknown[] = [
  null,
  true,
  '',
  'å',
  0,
  -1,
  0.5,
  1e21,
  2 ** 53,
  [],
  {},
  'x'.repeat(300),
  'ø'.repeat(150),
];

/** One basket in eight has a value of another kind somewhere. */
function spoiled(basket: object, random: Random): object {
  if (!random.chance(0.125)) return basket;
  const copy = structuredClone(basket) as Record<string, unknown>;
  let parent = copy;
  while (random.chance(0.7)) {
    const inner = random.pick(Object.values(parent).filter((value) => typeof value === 'object' && value !== null));
    if (inner === undefined) break;
    parent = inner as Record<string, unknown>;
  }
  const names = Object.keys(parent);
  if (names.length > 0) parent[random.pick(names)] = random.pick(HOSTILE);
  return copy;
}

function spell(shop: Shop, random: Random): { body: Uint8Array; calculationId: string } {
  const isAnything = random.chance(0.2);
  const basket = shopBasket(shop, random, isAnything);
  const hasEscapes = isAnything && random.chance(0.5);
  const text = spellJson(spoiled(basket, random), random, {
    hasEscapes,
    isSpaced: random.chance(0.5),
    isShuffled: random.chance(0.5),
  });
  const body = new Uint8Array(Buffer.from(text));
  // One body in a hundred is damaged, which may end its JSON or its UTF-8.
  if (random.chance(0.01)) body[random.below(body.length)] = random.below(256);
  return { body, calculationId: basket.calculationId };
}

interface Answered {
  readonly head: BasketHead;
  readonly body: string;
  readonly digest: string;
  readonly facts: object;
  readonly replay: string;
}

function answer(environment: Environment, { head, venue, priced }: ReadCall, request: Uint8Array): Answered {
  const member = environment.findMember(venue.programme.programmeId, head.loyaltyId);
  const available = new Map(limitedUses(venue, head.requestedAt).map(({ usageKey, limit }) => [usageKey, limit]));
  const { body, digest, ...facts } = member
    ? priceAnswer({ ...priced, member, available }, '/nonexistent').rendered
    : renderMemberNotFound(priced);
  if (facts.fault !== undefined) throw new Error(facts.fault);
  const replayed = replayAnswer(storedForm(digest, body), request);
  if ('fault' in replayed) throw new Error(replayed.fault);
  const shown = Buffer.from(body).toString('utf8');
  return {
    head,
    body: shown,
    digest: digest.toString('hex'),
    facts,
    replay: Buffer.from(replayed.answer).toString('utf8'),
  };
}

test(
  `${BASKETS} random baskets are answered with the same bytes in either form, seed ${SEED}`,
  () => {
    const ways = { bytes: 0, texts: 0, refused: 0, applied: 0 };
    let shop: Shop | undefined;
    for (let at = 0; at < BASKETS; at += 1) {
      const random = new Random(SEED + at);
      if (!shop || at % BASKETS_PER_SHOP === 0) shop = randomShop(random);
      const { environment } = shop;
      const { body, calculationId } = spell(shop, random);
      const [read, ordinary] = [readCall, readOrdinary].map((way) => way(environment, body, calculationId));
      const context = `seed ${SEED}, basket ${at}`;
      if ('refusal' in read! || 'refusal' in ordinary!) {
        if (!isDeepStrictEqual(read, ordinary)) expect(read, context).toEqual(ordinary);
        ways.refused += 1;
        continue;
      }
      ways[read!.priced.isInBytes ? 'bytes' : 'texts'] += 1;
      const answered = answer(environment, read!, body);
      const expected = answer(environment, ordinary!, body);
      if (!isDeepStrictEqual(answered, expected)) expect(answered, context).toEqual(expected);
      if (answered.replay !== answered.body) expect(answered.replay, context).toBe(answered.body);
      if (answered.body.includes('"applied"')) ways.applied += 1;
    }
    // The comparison is only worth something while every way is taken.
    for (const count of Object.values(ways)) expect(count).toBeGreaterThan(BASKETS / 20);
    console.log(JSON.stringify(ways));
  },
  TIMEOUT_MS,
);

test('a text and its byte text lead to each other, and differ outside ASCII', () => {
  const random = new Random(SEED);
  for (let at = 0; at < 1_000; at += 1) {
    const text = randomText(random, 20, false);
    const bytes = toByteText(text)!;
    expect(toText(bytes)).toBe(text);
    expect(decoded(sealed({ [`key ${at}`]: [bytes] }))).toEqual({ [`key ${at}`]: [text] });
  }
  expect(toByteText('\ud800')).toBeUndefined();
  expect(toByteText('å')).not.toBe('å');
});

test('values in bytes and ordinary ones do not mix', () => {
  const shop = randomShop(new Random(SEED));
  const basket = shopBasket(shop, new Random(SEED), false);
  const body = Buffer.from(JSON.stringify(basket));
  const inBytes = readBasketInBytes(body, basket.calculationId)!;
  const [venue] = shop.environment.venues;
  const circumstances = {
    member: { programmeId: 'club', loyaltyId: 'm', status: 'active', grants: [] },
    available: new Map(),
  } as const;
  const mixtures = () => [
    // @ts-expect-error A basket in bytes is no basket of texts.
    priceAnswer({ basket: inBytes, venue: venue!, ...circumstances }, ''),
    // @ts-expect-error A basket in bytes wants a venue in bytes.
    priceAnswer({ isInBytes: true, basket: inBytes, venue: venue!, ...circumstances }, ''),
    // @ts-expect-error A basket of texts wants a venue of texts.
    priceAnswer({ basket, venue: shop.environment.venueInBytes(venue!), ...circumstances }, ''),
    // @ts-expect-error The texts of a basket in bytes are not at hand.
    inBytes.loyaltyId,
  ];
  expect(mixtures).toBeTypeOf('function');
});
