/** Limits that benefits share and limits that count money, held by one till and told by the administration. */
import { expect, test } from 'vitest';
import { basketOf, saleOf } from '../support/baskets.ts';
import { configurationOf, SINGLE_USE, TWENTY } from '../support/configuration.ts';
import { useSharedService } from '../support/shared-service.ts';
import type { AppliedBody, BasketBody } from '../support/wire.ts';
import { ask, memberPath } from './admin-client.ts';

const limit = { quantity: { NOK: 5_000, EUR: 500 }, period: 'lifetime', counts: 'money', limitId: 'purse' } as const;
const stage = useSharedService(
  configurationOf({
    programme: {
      benefits: [
        { ...TWENTY, limit },
        { ...SINGLE_USE, percent: 50, limit },
      ],
    },
  }),
);

const call = (words: string, body?: unknown) => ask(stage.service.opsUrl, words, body === undefined ? {} : { body });

async function savedBy(basket: BasketBody): Promise<number> {
  const { status, totals } = (await stage.caller.basket(basket)).json<AppliedBody>();
  return status === 'applied' ? basket.totals.total - totals.total : 0;
}

test('what one benefit holds and uses is gone for the other, and is told in money', async () => {
  const path = memberPath('shares');
  const offer = () => basketOf([{ quantity: 1, unitPrice: 6_000 }], { loyaltyId: 'shares' });
  await call(`PUT ${path}`, { status: 'active', grants: ['single-use'] });
  const first = offer();
  expect(await savedBy(first)).toBe(3_000);
  await call(`PUT ${path}`, { status: 'active', grants: ['twenty'] });
  const second = offer();
  expect(await savedBy(second)).toBe(1_200);
  await stage.caller.sale(saleOf(first.calculationId));

  const { limits } = (await call(`GET ${path}`)).body as unknown as { limits: Record<string, unknown>[] };
  expect(limits).toMatchObject([
    { limitId: 'purse', currency: 'NOK', counts: 'money', limit: 5_000, consumed: 3_000, held: 1_200, left: 800 },
  ]);
  const { body } = await call(`GET /admin/calculations/${second.calculationId}`);
  expect(body.held).toMatchObject({ uses: [{ limitId: 'purse', currency: 'NOK', period: '*', units: 1_200 }] });
  expect((body.story as string[]).join()).toContain('purse (lifetime): 12.00 of 50.00 NOK');
  expect(await savedBy(offer())).toBe(800);
  await stage.caller.sale(saleOf(second.calculationId, 'cancelled'));
  expect(await savedBy(offer())).toBe(1_200);
});
