/** Every misbehaviour towards sale events: sent again with the same key until it is settled, or stopped and told. */

import { saleEventOf } from 'loyalty-basket-client';
import { expect, test } from 'vitest';
import { endingOf, richBasket, useDouble } from '../../client/test/fixture.ts';
import type { SaleMisbehaviour } from '../src/double/misbehaviour.ts';
import { LOYALTY_ID_PREFIX, MISBEHAVIOURS } from '../src/double/table.ts';

const stage = useDouble({ limits: { saleTimeoutMs: 3_000 } });
const rows = Object.entries(MISBEHAVIOURS).filter(
  (entry): entry is [string, SaleMisbehaviour] => entry[1].endpoint === 'sale',
);

test.each(rows)('%s', async (code, { right, times, act }) => {
  const outcome = await stage.client.calculateBasket(richBasket(`${LOYALTY_ID_PREFIX}${code}`));
  expect(outcome.status).toBe('applied');
  const { calculationId } = outcome;
  await stage.client.reportSale(saleEventOf(outcome, 'receipt-1'));
  const ending = await endingOf(stage, calculationId);
  expect(ending.outcome === 'settled' ? ending.result : ending.outcome).toBe(right);

  const events = stage.double.seen.filter(
    ({ path, idempotencyKey }) => path === '/v1/pos/sale' && idempotencyKey === calculationId,
  );
  expect(events).toHaveLength(times < 10 ? times + 1 : 1);
  expect(new Set(events.map(({ requestId }) => requestId)).size).toBe(events.length);
  // 429 and 503 carry Retry-After: 1, and no further attempt may come before it.
  if (act.kind === 'refusal' && (act.code === 'rate_limited' || act.code === 'unavailable')) {
    const gaps = events.slice(1).map(({ atMs }, index) => atMs - events[index]!.atMs);
    for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(990);
  }
  expect(stage.client.stoppedSales.map(({ event }) => event.calculationId).includes(calculationId)).toBe(
    right === 'stopped',
  );
});
