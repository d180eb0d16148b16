/** Cases of the oracle by their seeds: each function draws with other rules and words. */
import { Random } from '../../packages/simulator/src/random.ts';
import { randomCase } from './cases.ts';
import { addCheapest } from './cheapest-cases.ts';
import { addCoupons } from './coupon-cases.ts';
import { addLimitLists } from './limit-lists.ts';
import { addOfferRules } from './offer-rules.ts';
import { addRules, drawBasketScope } from './rule-cases.ts';
import type { OracleCase } from './types.ts';
import { drawModifiers } from './unit-cases.ts';
import { addSets, addWords } from './word-cases.ts';

export function draw(seed: number): OracleCase {
  return randomCase(new Random(seed));
}

export function drawWithRules(seed: number): OracleCase {
  const random = new Random(seed);
  return addRules(random, randomCase(random));
}

export function drawWithOfferRules(seed: number): OracleCase {
  const random = new Random(seed);
  const plain = randomCase(random);
  return addOfferRules(random, seed % 2 === 0 ? plain : addRules(random, plain));
}

/** With further rules every other time, and with words of single kinds; with discounts of the staff for the whole basket. */
export function drawWithModifiers(seed: number): OracleCase {
  const random = new Random(seed);
  const plain = randomCase(random);
  const ruled = seed % 2 === 0 ? addRules(random, plain) : plain;
  const drawn = drawModifiers(random, seed % 4 < 2 ? addOfferRules(random, ruled) : ruled);
  return seed % 3 === 0 ? drawBasketScope(random, drawn) : drawn;
}

/** Benefits limited for the member, for the programme and at the venue, plain or with further rules. */
export function drawWithLists(seed: number): OracleCase {
  const random = new Random(seed);
  return addLimitLists(random, seed % 16 < 8 ? drawWithRules(seed) : draw(seed));
}

/** Coupons beside sets, groups and minimums, with every rule in turn. */
export function drawWithCoupons(seed: number): OracleCase {
  const draws = [draw, drawWithRules, drawWithOfferRules];
  return addCoupons(new Random(seed), draws[seed % draws.length]!(seed));
}

/** Sets that give the cheapest units beside one benefit more, which shares their limit in every third case, plain or with further rules. */
export function drawWithCheapest(seed: number): OracleCase {
  return addCheapest(new Random(seed), seed % 2 === 0 ? draw(seed) : drawWithRules(seed), seed % 3 === 0);
}

/** Conditions and choices of benefits beside all else, with modifiers in every third case. */
export function drawWithWords(seed: number): OracleCase {
  const draws = [drawWithOfferRules, drawWithRules, drawWithModifiers];
  return addWords(new Random(seed), draws[seed % draws.length]!(seed));
}

/** Sets of which the last may give fewer units beside all else, with every other word in turn. */
export function drawWithSets(seed: number): OracleCase {
  const draws = [draw, drawWithRules, drawWithOfferRules, drawWithModifiers, drawWithWords, drawWithLists];
  return addSets(new Random(seed), draws[seed % draws.length]!(seed));
}
