/** The kit and a member whose limited benefit is held: it accuses nobody, and leaves nothing held. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { basketOf, saleOf } from '../../../test/support/baskets.ts';
import { configurationOf, singleUseMembers } from '../../../test/support/configuration.ts';
import { useSharedService } from '../../../test/support/shared-service.ts';
import { signatureOf } from '../../../test/support/signer.ts';
import { certify } from '../src/kit/certify.ts';
import { bodyOf, honest, PlantingProxy } from './planting-proxy.ts';
import { kitOptions } from './run-kit.ts';

const MEMBER = 'member-single';
/** A member for each run that sells, because what is sold is used up. */
const [FIRST, SECOND] = singleUseMembers('seller', 2).map(({ loyaltyId }) => loyaltyId);
const stage = useSharedService(configurationOf({ moreMembers: singleUseMembers('seller', 2) }));
let proxy: PlantingProxy;
beforeAll(async () => {
  proxy = await PlantingProxy.start(stage.service.baseUrl, stage.caller.secret);
});
afterAll(() => proxy?.stop());

function options(member = MEMBER, more: readonly string[] = []) {
  const own = ['--member-limited', member, '--only', 'reservations', ...more];
  return kitOptions(proxy.baseUrl, stage.caller.secret, own);
}

/** Those that need no sale. */
async function reservations() {
  proxy.set(honest);
  const { results } = await certify(options());
  return results.filter(({ name }) => name.startsWith('reservations.') && name !== 'reservations.consumed');
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

describe('a sale with the limited member', () => {
  /** The outcome of each check of reservations that did not pass. */
  const notPassed = async (member: string | undefined) => {
    const { results } = await certify(options(member, ['--sell-limited']));
    const own = results.filter(({ name }) => name.startsWith('reservations.'));
    return own.flatMap(({ name, outcome }) => (outcome === 'passed' ? [] : [`${name} ${outcome}`]));
  };

  test('is made only if it is asked for', async () => {
    proxy.set(honest);
    const { leftOut } = await certify(options());
    expect(leftOut).toContainEqual({ name: 'reservations.consumed', because: 'not shown: needs --sell-limited' });
  });

  test('uses the benefit up, so that a later run has none', async () => {
    proxy.set(honest);
    expect(await notPassed(FIRST)).toEqual([]);
    const later = await notPassed(FIRST);
    expect(later).toHaveLength(5);
    expect(later).toContain('reservations.consumed skipped');
  });

  test('finds a service that consumes nothing, and leaves nothing held there', async () => {
    proxy.set((passing, { forward, secret }) => {
      const event = bodyOf(passing);
      const isSale = passing.path.endsWith('/sale') && event['status'] === 'applied';
      if (!isSale) return forward(passing);
      const bytes = Buffer.from(JSON.stringify(saleOf(String(event['calculationId']), 'cancelled')));
      const headers = { ...passing.headers, 'pos-signature': signatureOf(secret, bytes) };
      return forward({ ...passing, headers, bytes });
    });
    expect(await notPassed(SECOND)).toEqual(['reservations.consumed failed']);
    expect(await notPassed(SECOND)).toEqual(['reservations.consumed failed']);
  });
});
