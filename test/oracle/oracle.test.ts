/**
 * The engine against the oracle on many small random cases (`CASES=n`: n times as many): the same lowest total, and an answer that the
 * independent judge passes. A failing case is printed with its seed and in full.
 */
import { describe, expect, it } from 'vitest';
import type { Decision } from '../../src/pricing/types.ts';
import { netCostOf } from '../pricing/support/price.ts';
import { timesCases } from '../support/effort.ts';
import { faultsOfDecision } from '../support/judge.ts';
import {
  draw,
  drawWithCheapest,
  drawWithCoupons,
  drawWithLists,
  drawWithModifiers,
  drawWithOfferRules,
  drawWithRules,
} from './draws.ts';
import { priceAsConfigured, priceWithEngine } from './engine.ts';
import { findLowestCost } from './oracle.ts';
import type { OracleCase } from './types.ts';

const SEEDS = timesCases(800);
/** Several tests, so that one overlong search shows where it happened. */
const SEEDS_PER_TEST = 100;
/** Coupons beside all that a case may have take the oracle long, so few are drawn. */
const SEEDS_PER_COUPONS = 8;
/** The limits of several owners change less than rules do. */
const SEEDS_PER_LISTS = 8;
/** What gives the cheapest units leaves little to choose. */
const SEEDS_PER_CHEAPEST = 2;
const TIMEOUT_MS = 120_000;

const starts = Array.from({ length: Math.ceil(SEEDS / SEEDS_PER_TEST) }, (_, index) => index * SEEDS_PER_TEST + 1);

/**
 * Cases that the engine once missed, beyond those that every run plays: a cap cut what it cost most to spend it on, or sets that
 * are worth nothing beside an order discount left other benefits fewer units to replace a discount on.
 */
const ONCE_MISSED = [23_348, 23_569, 180_977];
/** Units were drawn in vain, so that no choice was permitted when bundles were counted. */
const ONCE_NOTHING_PERMITTED = [54_009, 55_627];
/** The same with further rules; of the last three, equal choices lead to different ends. */
const ONCE_MISSED_WITH_RULES = [2_417, 140_015, 195_521, 63_395, 7_221, 8_525, 13_467];
/** Bundles at an amount off were taken of the cheapest units; of four sets that give the cheapest all drew or none. */
const ONCE_MISSED_WITH_CHEAPEST = [1_271, 1_817];
/** A unit counted for the minimum of a percentage, and none of its lines takes one. */
const ONCE_ELIGIBLE = 63_795;
/** Units were bought for a set that gives nothing, so there is no line of an answer to trace them on. */
const ONCE_UNTRACEABLE = 1_300;
/** A gift that was rung up in part was counted twice where lines stood together in units, and cost the limit of one more basket. */
const ONCE_COUNTED_TWICE = { words: [3_382], modifiers: [6_849, 17_820, 19_144] };

describe('the engine finds what the brute-force oracle finds', () => {
  it.each(starts)('for %i and the seeds after it', { timeout: TIMEOUT_MS }, (start) => {
    for (let seed = start; seed < start + SEEDS_PER_TEST; seed++) compare(seed, draw(seed));
  });

  it.each(starts)('for %i and the seeds after it, with further rules', { timeout: TIMEOUT_MS }, (start) => {
    for (let seed = start; seed < start + SEEDS_PER_TEST; seed++) compare(seed, drawWithRules(seed));
  });

  it.each(starts)(
    'for %i and the seeds after it, with further rules and words of single kinds',
    { timeout: TIMEOUT_MS },
    (start) => {
      for (let seed = start; seed < start + SEEDS_PER_TEST; seed++) compare(seed, drawWithOfferRules(seed));
    },
  );

  it.each(starts)('for %i and the seeds after it, with modifiers', { timeout: TIMEOUT_MS }, (start) => {
    for (let seed = start; seed < start + SEEDS_PER_TEST; seed++) compare(seed, drawWithModifiers(seed));
  });

  it.each(starts)('for %i and the seeds after it, with lists of limits', { timeout: TIMEOUT_MS }, (start) => {
    for (let seed = start; seed < start + SEEDS_PER_TEST; seed += SEEDS_PER_LISTS) compare(seed, drawWithLists(seed));
  });

  it.each(starts)('for %i and the seeds after it, with coupons', { timeout: TIMEOUT_MS }, (start) => {
    for (let seed = start; seed < start + SEEDS_PER_TEST; seed += SEEDS_PER_COUPONS)
      compare(seed, drawWithCoupons(seed));
  });

  it.each(starts)('for %i and the seeds after it, with the cheapest given', { timeout: TIMEOUT_MS }, (start) => {
    for (let seed = start; seed < start + SEEDS_PER_TEST; seed += SEEDS_PER_CHEAPEST)
      compare(seed, drawWithCheapest(seed));
  });

  it.each(ONCE_MISSED_WITH_CHEAPEST)('for %i, with the cheapest given', (seed) =>
    compare(seed, drawWithCheapest(seed)),
  );

  it.each(ONCE_MISSED_WITH_RULES)('for %i, with further rules', (seed) => compare(seed, drawWithRules(seed)));

  it.each([...ONCE_MISSED, ...ONCE_NOTHING_PERMITTED])('for %i', (seed) => compare(seed, draw(seed)));

  it.each(ONCE_COUNTED_TWICE.words)('for %i, with words of single kinds', (seed) =>
    compare(seed, drawWithOfferRules(seed)),
  );

  it.each([...ONCE_COUNTED_TWICE.modifiers, ONCE_ELIGIBLE, ONCE_UNTRACEABLE])('for %i, with modifiers', (seed) =>
    compare(seed, drawWithModifiers(seed)),
  );
});

it('what the service loads from a configuration file decides the same', () => {
  for (const drawn of [draw, drawWithRules, drawWithOfferRules, drawWithModifiers]) {
    for (let seed = 1; seed <= timesCases(30); seed++) {
      expect(priceAsConfigured(drawn(seed)), `seed ${seed}`).toEqual(priceWithEngine(drawn(seed)));
    }
  }
});

/**
 * Where a limited use was once spent in vain: on a line that an unlimited benefit makes as cheap, or that an order discount
 * takes anyway.
 */
const ONCE_WASTEFUL = [25, 41, 61, 199];

it.each(ONCE_WASTEFUL)('no limited use is spent where it saves nothing: %i', (seed) => {
  const decision = priceWithEngine(draw(seed));
  expect(decision).toMatchObject({ status: 'applied', uses: [] });
});

function compare(seed: number, oracleCase: OracleCase): void {
  const decision = priceWithEngine(oracleCase);
  const faults = [...faultsOf(oracleCase, decision)];
  if (faults.length > 0) expect.fail(`seed ${seed}: ${faults.join('; ')}\n${JSON.stringify(oracleCase)}`);
}

function* faultsOf(oracleCase: OracleCase, decision: Decision): Generator<string> {
  const { basket, products } = oracleCase;
  const { netCost, netCosts, benefitIds } = findLowestCost(oracleCase);
  const found = netCostOf(basket, decision);
  // Of equal choices one may have a benefit that saves too little, and go on without it: each of them is permitted (rule 8).
  const isPermitted = netCosts.includes(found);
  // To make a benefit save enough beside others that would save more is not proven; then more may be asked, and said so.
  const isProven = decision.trace!.method === 'exact';
  const mayMiss = oracleCase.programme.benefits.some(({ minimumSaving }) => minimumSaving !== undefined);
  if (!isPermitted && (isProven || found < netCost || !mayMiss))
    yield `the engine asks ${found}, the oracle ${netCost} by ${benefitIds.join(', ') || 'nothing'}`;
  if (decision.status !== 'applied') return;
  yield* faultsOfDecision(basket, decision, new Map(products.map((product) => [product.productId, product])));
}
