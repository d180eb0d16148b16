/** The kit and a member whose limited benefit is held: it accuses nobody, and leaves nothing held. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { basketOf, saleOf } from '../../../test/support/baskets.ts';
import { useService } from '../../../test/support/service.ts';
import { certify } from '../src/kit/certify.ts';
import { bodyOf, honest, PlantingProxy } from './planting-proxy.ts';
import { kitOptions } from './run-kit.ts';

const MEMBER = 'member-single';
const stage = useService();
let proxy: PlantingProxy;
beforeAll(async () => {
  proxy = await PlantingProxy.start(stage.service.baseUrl, stage.caller.secret);
});
afterAll(() => proxy?.stop());

function options() {
  return kitOptions(proxy.baseUrl, stage.caller.secret, ['--member-limited', MEMBER, '--only', 'reservations']);
}

async function reservations() {
  proxy.set(honest);
  const { results } = await certify(options());
  return results.filter(({ name }) => name.startsWith('reservations.'));
}

test('what somebody else holds is named as the reason, and is no finding', async () => {
  const held = basketOf([{}], { loyaltyId: MEMBER });
  await stage.caller.basket(held);
  const rows = await reservations();
  expect(new Set(rows.map(({ outcome }) => outcome))).toEqual(new Set(['skipped']));
  expect(rows[0]!.seen[0]).toContain(`not shown: ${MEMBER} has no benefit free (200 unchanged)`);
  await stage.caller.sale(saleOf(held.calculationId, 'cancelled'));
  expect(new Set((await reservations()).map(({ outcome }) => outcome))).toEqual(new Set(['passed']));
});

test('a run that is told to end frees what it holds', async () => {
  const stop = new AbortController();
  let holds = 0;
  proxy.set(async (passing, { forward }) => {
    const answer = await forward(passing);
    const { loyaltyId } = bodyOf(passing);
    // The first of them is the look whether the benefit is free; the second one holds it.
    if (loyaltyId === MEMBER && ++holds === 2) stop.abort();
    return answer;
  });
  await expect(certify(options(), undefined, stop.signal)).rejects.toThrow('told to end');
  const next = basketOf([{}], { loyaltyId: MEMBER });
  expect((await stage.caller.basket(next)).json()).toMatchObject({ status: 'applied' });
  await stage.caller.sale(saleOf(next.calculationId, 'cancelled'));
});
