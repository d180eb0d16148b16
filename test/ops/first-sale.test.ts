/** The first sale under limits over all members, looked up and returned: nothing was counted before it. */
import { expect, test } from 'vitest';
import type { PastBasket } from '../../src/administration/past-basket.ts';
import { memberToken } from '../../src/store/keys.ts';
import { basketOf, saleOf } from '../support/baskets.ts';
import { type Benefit, configurationOf, memberOf } from '../support/configuration.ts';
import { useSharedService } from '../support/shared-service.ts';
import { ask } from './admin-client.ts';

const ofAll = { period: 'lifetime', of: 'programme' } as const;
const HALF: Benefit = {
  ...{ benefitId: 'half', kind: 'line_percent', percent: 50, text: 'Half of it', audience: 'everyone' },
  limit: [
    { ...ofAll, quantity: 3, counts: 'baskets' },
    { ...ofAll, quantity: 9000, counts: 'money' },
  ],
};
const stage = useSharedService(
  configurationOf({ programme: { benefits: [HALF] }, members: [memberOf('first-guest')] }),
);

interface Found {
  readonly calculations: readonly { readonly past?: PastBasket; readonly notExplained?: string }[];
}

test('it is explained as it was answered, and comes back in whole, also when its answer is forgotten before its event', async () => {
  const basket = basketOf([{}], { loyaltyId: 'first-guest' });
  const { calculationId } = basket;
  expect((await stage.caller.basket(basket)).json()).toMatchObject({ status: 'applied', totals: { total: 5000 } });
  const answer = `loyalty:staging:answer:{${memberToken('coffee-club', 'first-guest')}}:${calculationId}`;
  expect(await stage.redis.client.del(answer)).toBe(1);
  expect((await stage.caller.sale(saleOf(calculationId))).status).toBe(200);

  const { body } = await ask<Found>(stage.service.opsUrl, `GET /admin/look-up?id=${calculationId}`);
  const past = body.calculations[0]?.past;
  expect(past).toMatchObject({ isSame: true, response: { status: 'applied', totals: { total: 5000 } } });
  expect(past?.explanation.benefits).toEqual([
    expect.objectContaining({ benefitId: 'half', applied: true, left: '2 of 3 left, 40.00 of 90.00 left' }),
  ]);
  expect(past?.circumstances.left).toEqual([
    expect.objectContaining({ benefitId: 'half', limit: 3, before: 3, after: 2 }),
    expect.objectContaining({ benefitId: 'half', limit: 9000, before: 9000, after: 4000 }),
  ]);

  const lines = [{ lineId: basket.lines[0]!.lineId, quantity: 1 }];
  const quote = await ask(stage.service.opsUrl, 'POST /admin/returns/quote', { body: { calculationId, lines } });
  expect([quote.status, quote.body]).toMatchObject([200, { refund: 5000 }]);
});

test('a look-up invents nothing that is not kept of the basket', async () => {
  const basket = basketOf([{}], { loyaltyId: 'first-guest' });
  await stage.caller.basket(basket);
  const { body } = await ask<Found>(stage.service.opsUrl, `GET /admin/look-up?id=${basket.calculationId}`);
  const { context, ...asked } = body.calculations[0]!.past!.basket;
  expect(context).toEqual({ venueId: 'oslo-central', baxId: '500123', channel: 'pos' });
  expect(asked).not.toHaveProperty('loyaltyId');
});
