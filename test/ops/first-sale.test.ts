/** The first sale under limits over all members, looked up and returned: nothing was counted before it. */
import { expect, test } from 'vitest';
import type { PastBasket } from '../../src/administration/past-basket.ts';
import { memberToken } from '../../src/store/keys.ts';
import { type Benefit, configurationOf, memberOf } from '../support/configuration.ts';
import { useSharedService } from '../support/shared-service.ts';
import { deskOf } from './desk.ts';

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

const { get, ringUp, tell, takeBack } = deskOf(stage);

interface Found {
  readonly calculations: readonly { readonly past?: PastBasket; readonly notExplained?: string }[];
}

test('it is explained as it was answered, and comes back in whole, also when its answer is forgotten before its event', async () => {
  const { calculationId, status, totals } = await ringUp('first-guest');
  expect([status, totals?.total]).toEqual(['applied', 5000]);
  const answer = `loyalty:staging:answer:{${memberToken('coffee-club', 'first-guest')}}:${calculationId}`;
  expect(await stage.redis.client.del(answer)).toBe(1);
  expect((await tell(calculationId)).status).toBe(200);

  const past = (await get<Found>(`/admin/look-up?id=${calculationId}`)).calculations[0]?.past;
  expect(past).toMatchObject({ isSame: true, response: { status: 'applied', totals: { total: 5000 } } });
  expect(past?.explanation.benefits).toEqual([
    expect.objectContaining({ benefitId: 'half', applied: true, left: '2 of 3 left, 40.00 of 90.00 left' }),
  ]);
  expect(past?.circumstances.left).toEqual([
    expect.objectContaining({ benefitId: 'half', limit: 3, before: 3, after: 2 }),
    expect.objectContaining({ benefitId: 'half', limit: 9000, before: 9000, after: 4000 }),
  ]);

  expect(await takeBack(calculationId, 'r')).toMatchObject({ status: 200, body: { refund: 5000 } });
});

test('a look-up invents nothing that is not kept of the basket', async () => {
  const { calculationId } = await ringUp('first-guest');
  const { calculations } = await get<Found>(`/admin/look-up?id=${calculationId}`);
  const { context, ...asked } = calculations[0]!.past!.basket;
  expect(context).toEqual({ venueId: 'oslo-central', cashRegisterId: 'till-1', baxId: '500123', channel: 'pos' });
  expect(asked).not.toHaveProperty('loyaltyId');
});
