/**
 * `repriced` against the oracle: what stays is put together here, whole unit by whole unit, and priced by brute force; the refund is
 * the difference within its bounds.
 */

import { renderAnswer } from '@loyalty/engine/answer/render';
import { limitedUses } from '@loyalty/engine/offers/limits';
import { decideBasket } from '@loyalty/engine/price';
import type { PriceAsThen } from '@loyalty/engine/returns/priced';
import { quoteReturn } from '@loyalty/engine/returns/quote';
import { soldAsAnswered, soldAsSent } from '@loyalty/engine/returns/sold-basket';
import { expect, test } from 'vitest';
import { buildMember, buildVenue } from '../../packages/engine/test/support/programme.ts';
import { Random } from '../../packages/simulator/src/random.ts';
import { totalsOf } from '../support/baskets.ts';
import { timesCases } from '../support/effort.ts';
import type { BasketBody } from '../support/wire.ts';
import { randomCase } from './cases.ts';
import { findLowestCost } from './oracle.ts';
import type { OracleCase } from './types.ts';

const SEEDS = timesCases(150);
const TIMEOUT_MS = 120_000;

/** Gifts have a price of their own in a return, and shares of staff discounts are rounded: both have tests of their own. */
function isPlain({ programme, basket }: OracleCase): boolean {
  const isWhole = basket.lines.every(
    (line) =>
      Number.isInteger(line.quantity) &&
      line.existingLineDiscountAmount === 0 &&
      line.orderDiscountAllocation.length === 0,
  );
  return isWhole && programme.benefits.every(({ kind }) => kind !== 'free_product');
}

/** The engine's own door, as a return uses it. */
function engineOf({ programme, products, grants, tier, basket, available }: OracleCase) {
  const venue = buildVenue([...programme.benefits], programme, [...products]);
  const { programmeId } = programme;
  const member = buildMember({ programmeId, loyaltyId: basket.loyaltyId, grants, ...(tier !== undefined && { tier }) });
  const uses = limitedUses(venue, basket.requestedAt, member);
  const left = uses.map(({ usageKey }) => {
    const name = usageKey.slice(0, usageKey.lastIndexOf(':')).replace('#items', '');
    return [usageKey, available[name] ?? 0] as const;
  });
  const decide = (asked: BasketBody) => decideBasket({ basket: asked, member, venue, available: new Map(left) });
  const price: PriceAsThen = (asked) => {
    const { content, given } = decide(asked);
    const answer = renderAnswer(asked, content);
    const total = answer.status === 'applied' ? answer.totals.total : asked.totals.total;
    return { total, given: given(), gifts: [] };
  };
  return { decide, price };
}

/** The basket without the units that come back. */
function without(basket: BasketBody, back: ReadonlyMap<string, number>): BasketBody | undefined {
  const lines = basket.lines.flatMap((line) => {
    const quantity = line.quantity - (back.get(line.lineId) ?? 0);
    if (quantity === 0) return [];
    const { parentLineId, ...rest } = line;
    const parent = basket.lines.find(({ lineId }) => lineId === parentLineId);
    const stays = parent !== undefined && parent.quantity > (back.get(parent.lineId) ?? 0);
    const cost = quantity * line.unitPrice;
    return [
      {
        ...rest,
        ...(stays && { parentLineId: parent.lineId }),
        quantity,
        originalLinePrice: cost,
        orderLinePrice: cost,
      },
    ];
  });
  return lines.length === 0 ? undefined : { ...basket, lines, orderDiscounts: [], totals: totalsOf(lines) };
}

test('what stays costs what the oracle says, and the refund is the difference', { timeout: TIMEOUT_MS }, () => {
  const counted = { cases: 0, kept: 0, refunded: 0 };
  for (let seed = 1; counted.cases < SEEDS; seed++) {
    const random = new Random(seed);
    const drawn = randomCase(random);
    if (!isPlain(drawn)) continue;
    counted.cases += 1;
    const { basket } = drawn;
    const { decide, price } = engineOf(drawn);
    const { content, given } = decide(basket);
    const sold = content.status === 'applied' ? soldAsAnswered(basket, content, given()) : soldAsSent(basket);
    const asked = sold.lines
      .filter(() => random.chance(0.6))
      .map(({ lineId, quantity }) => ({ lineId, quantity: random.between(1, quantity) }));
    if (asked.length === 0) continue;
    const back = new Map<string, number>();
    let ceiling = 0;
    for (const { lineId, quantity } of asked) {
      const line = basket.lines[sold.lines.find((other) => other.lineId === lineId)!.line!]!;
      back.set(line.lineId, (back.get(line.lineId) ?? 0) + quantity);
      ceiling += quantity * line.unitPrice;
    }
    const rest = without(basket, back);
    const paid = findLowestCost(drawn).netCost;
    const stays = rest ? findLowestCost({ ...drawn, basket: rest }).netCost : 0;
    const quoted = quoteReturn(sold, 'repriced', { quantities: new Map(), refunded: 0, kept: given() }, asked, price);
    if (quoted.kind !== 'quoted') throw new Error(`seed ${seed}: ${JSON.stringify(quoted)}`);
    const { refund, kept } = quoted.quote;
    expect(refund, `seed ${seed}`).toBe(Math.max(0, Math.min(paid - stays, ceiling, paid)));
    if (kept.length > 0) counted.kept += 1;
    if (refund > 0) counted.refunded += 1;
  }
  expect(counted.kept).toBeGreaterThan(SEEDS / 10);
  expect(counted.refunded).toBeGreaterThan(SEEDS / 3);
});
