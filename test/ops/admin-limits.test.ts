/** Limits that benefits share and limits that count money, held by one till and told by the administration. */
import { expect, test } from 'vitest';
import { configurationOf, SINGLE_USE, TWENTY } from '../support/configuration.ts';
import { useSharedService } from '../support/shared-service.ts';
import { memberPath } from './admin-client.ts';
import { deskOf, type Row } from './desk.ts';

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

const { call, get, put, tell, ringUp } = deskOf(stage);

/** Rings a basket of 60.00 up, and says what the member saves. */
async function offer(): Promise<{ readonly calculationId: string; readonly saved: number }> {
  const { calculationId, totals } = await ringUp('shares', {}, [{ quantity: 1, unitPrice: 6_000 }]);
  return { calculationId, saved: totals?.loyaltyDiscountTotal ?? 0 };
}

test('what one benefit holds and uses is gone for the other, and is told in money', async () => {
  await put('shares', ['single-use']);
  const first = await offer();
  await put('shares', ['twenty']);
  const second = await offer();
  expect([first.saved, second.saved]).toEqual([3_000, 1_200]);
  await tell(first.calculationId);

  const { limits } = await get<{ limits: Row[] }>(memberPath('shares'));
  expect(limits).toMatchObject([
    { limitId: 'purse', currency: 'NOK', counts: 'money', limit: 5_000, consumed: 3_000, held: 1_200, left: 800 },
  ]);
  const { body } = await call(`GET /admin/calculations/${second.calculationId}`);
  expect(body.held).toMatchObject({ uses: [{ limitId: 'purse', currency: 'NOK', period: '*', units: 1_200 }] });
  expect((body.story as string[]).join()).toContain('purse (lifetime): 12.00 of 50.00 NOK');
  expect((await offer()).saved).toBe(800);
  await tell(second.calculationId, 'cancelled');
  expect((await offer()).saved).toBe(1_200);
});
