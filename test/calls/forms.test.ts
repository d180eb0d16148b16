/**
 * A basket has one form, however its JSON is spelled, and the live call prices as `priceBasket` does, which tests and people use.
 * Random baskets of shops whose names lie in every plane of Unicode, in any spelling of JSON. `PROPERTY_SEED=n` draws others,
 * `CASES=400` plays 200,000 of them.
 */
import { isDeepStrictEqual } from 'node:util';
import { limitedUses, priceBasket } from '@loyalty/engine/price';
import { expect, test } from 'vitest';
import { Random } from '../../packages/simulator/src/random.ts';
import { priceAnswer, renderMemberNotFound } from '../../src/calls/answer.ts';
import { type BasketHead, type ReadCall, readCall } from '../../src/calls/read-call.ts';
import { replayAnswer, storedForm } from '../../src/calls/stored/stored-answer.ts';
import type { Environment } from '../../src/programme/environment.ts';
import { SEED, timesCases } from '../support/effort.ts';
import { spellJson } from './forms/json-spelling.ts';
import { randomShop, type Shop, shopBasket } from './forms/shop.ts';

const BASKETS = timesCases(500);
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

function answer(environment: Environment, { head, venue, basket }: ReadCall, request: Uint8Array): Answered {
  const member = environment.findMember(venue.programme.programmeId, head.loyaltyId);
  const available = new Map(limitedUses(venue, head.requestedAt).map(({ usageKey, limit }) => [usageKey, limit]));
  const { body, digest, ...facts } = member
    ? priceAnswer({ basket, venue, member, available }).rendered
    : renderMemberNotFound(basket);
  if (facts.fault !== undefined) throw new Error(facts.fault.field);
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

/** What tests and people are told of the basket, beside the body of the answer. */
function expectPricedAlike(environment: Environment, { head, venue, basket }: ReadCall, body: string): void {
  const member = environment.findMember(venue.programme.programmeId, head.loyaltyId);
  if (!member) return;
  const available = new Map(limitedUses(venue, head.requestedAt).map(({ usageKey, limit }) => [usageKey, limit]));
  const priced = priceBasket({ basket, venue, member, available });
  const { calculationId: _known, ...given } = JSON.parse(body);
  const { uses: _uses, ...decision } = { uses: [], ...priced };
  if (!isDeepStrictEqual(decision, given)) expect(decision).toEqual(given);
}

/** The same JSON as `JSON.stringify` spells it; undefined for what is no JSON. */
function plainly(body: Uint8Array): Buffer | undefined {
  try {
    return Buffer.from(JSON.stringify(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))));
  } catch {
    return undefined;
  }
}

test(
  `${BASKETS} random baskets are answered with the same bytes in any spelling, seed ${SEED}`,
  () => {
    const ways = { refused: 0, applied: 0, escaped: 0 };
    let shop: Shop | undefined;
    for (let at = 0; at < BASKETS; at += 1) {
      const random = new Random(SEED + at);
      if (!shop || at % BASKETS_PER_SHOP === 0) shop = randomShop(random);
      const { environment } = shop;
      const { body, calculationId } = spell(shop, random);
      const plain = plainly(body);
      const read = readCall(environment, body, calculationId);
      const context = `seed ${SEED}, basket ${at}`;
      if (!plain) {
        expect(read, context).toMatchObject({ refusal: { code: 'invalid_request' } });
        continue;
      }
      const expected = readCall(environment, plain, calculationId);
      if ('refusal' in read || 'refusal' in expected) {
        if (!isDeepStrictEqual(read, expected)) expect(read, context).toEqual(expected);
        ways.refused += 1;
        continue;
      }
      if (Buffer.from(body).includes('\\u')) ways.escaped += 1;
      const answered = answer(environment, read, body);
      const wanted = answer(environment, expected, plain);
      if (!isDeepStrictEqual(answered, wanted)) expect(answered, context).toEqual(wanted);
      if (answered.replay !== answered.body) expect(answered.replay, context).toBe(answered.body);
      if (at % 4 === 0) expectPricedAlike(environment, read, answered.body);
      if (answered.body.includes('"applied"')) ways.applied += 1;
    }
    // The comparison is only worth something while every way is taken.
    for (const count of Object.values(ways)) expect(count, JSON.stringify(ways)).toBeGreaterThan(BASKETS / 50);
  },
  TIMEOUT_MS,
);
