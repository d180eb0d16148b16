/** A draft that changes nothing gives the price of the configuration in force, whatever the basket or its guest holds. */
import { expect, test } from 'vitest';
import { basketOf } from '../support/baskets.ts';
import { type Benefit, configurationOf, memberOf, TWENTY } from '../support/configuration.ts';
import { useSharedService } from '../support/shared-service.ts';
import { until } from '../support/wait.ts';
import type { BasketBody } from '../support/wire.ts';
import { deskOf } from './desk.ts';

/** One more than the reservations of a member that are read one by one. */
const MANY = 33;
const limited = (benefitId: string, quantity: number, more: object = {}): Benefit => ({
  ...{ ...TWENTY, benefitId, limit: { quantity, period: 'lifetime', counts: 'baskets', ...more } },
});
const BENEFITS = [
  limited('last-one', 1, { of: 'programme' }),
  limited('many', MANY),
  limited('of-the-day', 9, { period: 'day', of: 'programme' }),
];
const configuration = configurationOf({
  programme: { benefits: BENEFITS },
  members: [...BENEFITS.map(({ benefitId }) => memberOf(benefitId, [benefitId])), memberOf('tester', ['of-the-day'])],
  testMembers: ['tester'],
});
const stage = useSharedService(configuration);

const { call, get } = deskOf(stage);
const now = (loyaltyId: string, more: Partial<BasketBody> = {}) =>
  basketOf([{}], { loyaltyId, requestedAt: new Date().toISOString(), ...more });

interface Part {
  readonly response: { readonly status: string };
  readonly explanation: { readonly clock: unknown };
}

/** Both explanations, with all but the clock, which is compared twice. The draft is the file that is in force. */
async function explain(basket: BasketBody) {
  type Files = { readonly files: readonly { readonly name: string; readonly text: string }[] };
  const [file] = (await get<Files>('/admin/configuration/files')).files;
  const draft = { file: file!.name, text: file!.text };
  // A machine that stands still lets Redis fall silent.
  const body = await until('an answer', async () => {
    const answer = await call<Part & { draft: Part }>('POST /admin/explain', { basket, draft });
    return answer.status !== 503 && answer.body;
  });
  const partOf = ({ response, explanation: { clock: _clock, ...explanation } }: Part) => ({ response, explanation });
  return { own: partOf(body), byDraft: partOf(body.draft), status: body.response.status };
}

test.each([
  ['the last unit of a limit over all members', 'last-one', 1],
  ['one of very many units', 'many', MANY],
])('an answered basket that holds %s', async (_, loyaltyId, count) => {
  const baskets = Array.from({ length: count }, () => now(loyaltyId));
  for (const basket of baskets) {
    expect((await stage.caller.basket(basket)).json<{ status: string }>().status).toBe('applied');
  }
  const held = await explain(baskets[0]!);
  expect(held.status).toBe('applied');
  expect(held.byDraft).toEqual(held.own);
  const successor = await explain(now(loyaltyId, { supersedesCalculationId: baskets[0]!.calculationId }));
  expect(successor.status).toBe('applied');
  expect(successor.byDraft).toEqual(successor.own);
  const another = await explain(now(loyaltyId));
  expect(another.status).toBe('unchanged');
  expect(another.byDraft).toEqual(another.own);
});

test('a test member whose clock was moved into another period', async () => {
  await call('POST /admin/clock', { programmeId: 'coffee-club', loyaltyId: 'tester', aheadSeconds: 40 * 86_400 });
  const moved = await explain(now('tester'));
  expect(moved.status).toBe('applied');
  expect(moved.byDraft).toEqual(moved.own);
});
