/** The gap of a choice of benefits is in a histogram, and in the log line of its call. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { basketOf } from '../support/baskets.ts';
import { patiently } from '../support/caller.ts';
import { type Benefit, configurationOf, memberOf } from '../support/configuration.ts';
import { readingOf, scrape } from '../support/metrics.ts';
import { type LogLine, useService } from '../support/service.ts';
import { until } from '../support/wait.ts';

/** Bundles that compete for the same lines: too many ways to look at all of them. */
const PRODUCTS = 5;
const bundles = Array.from({ length: PRODUCTS }, (_, b): Benefit => {
  const items = [b, (b + 1) % PRODUCTS, (b + 2) % PRODUCTS].map((p) => ({
    appliesTo: { productIds: [`p${p}`] },
    quantity: 1,
  }));
  return { benefitId: `bundle-${b}`, kind: 'bundle_price', items, bundlePrice: 2_000 + 100 * b } as unknown as Benefit;
});
const stage = useService({
  // A search is compiled by its second attempt; as tests start a service, it would meet the deadline a dozen times.
  isPlain: true,
  configuration: configurationOf({ programme: { benefits: bundles }, members: [memberOf('guest')] }),
});

const HARD = Array.from({ length: 20 }, (_, i) => ({
  productId: `p${i % PRODUCTS}`,
  quantity: 1 + (i % 3),
  unitPrice: 1_000 + 37 * i,
}));

async function lineOfCall(words: readonly object[]): Promise<LogLine> {
  const requestId = randomUUID();
  const basket = basketOf(words, { loyaltyId: 'guest' });
  await patiently(() => stage.caller.basket(basket, { headers: { 'X-Request-Id': requestId } }));
  // On a slow machine the first attempts may meet the deadline.
  const isAnswered = (line: LogLine) => line.requestId === requestId && line.httpStatus === 200 && 'phases' in line;
  return until('the line', () => stage.service.log.find(isAnswered));
}

async function counted(le: string): Promise<number> {
  return readingOf(await scrape(stage.service), 'loyalty_choice_gap_bucket', { le }) ?? Number.NaN;
}

test('a choice with a gap is counted and its line says how large it is; one without a gap says nothing', async () => {
  expect(await counted('+Inf')).toBe(0);
  const hard = await lineOfCall(HARD);
  expect(hard['gap']).toBeGreaterThan(0);
  const easy = await lineOfCall([{ productId: 'p0' }]);
  expect(easy).not.toHaveProperty('gap');
  expect([await counted('0'), await counted('+Inf')]).toEqual([1, 2]);
});
