/** The dry run answers what the call would answer, says why to the unit, and leaves no trace in Redis. */
import { expect, test } from 'vitest';
import { basketOf } from '../support/baskets.ts';
import { configurationOf, memberOf, SINGLE_USE, TWENTY } from '../support/configuration.ts';
import { readContents, useSharedService } from '../support/shared-service.ts';
import { deskOf } from './desk.ts';

const DAILY = {
  ...TWENTY,
  benefitId: 'daily-ten',
  percent: 30,
  limit: { quantity: 1, period: 'day', counts: 'baskets' },
} as const;
const configuration = configurationOf({
  programme: { benefits: [TWENTY, SINGLE_USE, DAILY] },
  moreMembers: [memberOf('both', ['twenty', 'single-use']), memberOf('daily', ['daily-ten'])],
});
const stage = useSharedService(configuration);
const { call, ringUp, refusalOf } = deskOf(stage);

interface Explained {
  readonly response: Record<string, unknown>;
  readonly explanation: {
    readonly totalBefore: number;
    readonly totalAfter: number;
    readonly changes: { readonly amount: number }[];
    readonly benefits: { readonly benefitId: string; readonly applied: boolean; readonly reason?: string }[];
    readonly limits: { readonly usageKey: string; readonly left: number }[];
  };
}

const explain = (basket: object | string, query = '') => call<Explained>(`POST /admin/explain${query}`, basket);

/** Every key with what it holds, but for what time alone changes. */
async function contents(): Promise<Record<string, string>> {
  const all = await readContents(stage.redis);
  return Object.fromEntries([...all].map(([key, { content }]) => [key, content.toString('latin1')]));
}

test('the answer is the call’s own, attributed to the unit, and nothing is written', async () => {
  const basket = basketOf([{ quantity: 3, unitPrice: 1_999 }, { noDiscount: true }, {}], { loyaltyId: 'both' });
  const before = await contents();
  const { status, body } = await explain(basket);
  expect(status).toBe(200);
  expect(await contents()).toEqual(before);
  expect(body.response).toEqual((await stage.caller.basket(basket)).json());

  const { explanation } = body;
  const changed = explanation.changes.reduce((sum, { amount }) => sum + amount, 0);
  expect(changed).toBe(explanation.totalAfter - explanation.totalBefore);
  expect(changed).toBeLessThan(0);
  expect(explanation.benefits.map(({ benefitId, reason }) => [benefitId, reason])).toEqual([
    ['daily-ten', 'not_granted'],
    ['single-use', 'others_save_more'],
    ['twenty', undefined],
  ]);
});

test('what the calculation holds itself counts as free, what another one holds does not', async () => {
  const { basket, reply } = await ringUp('member-single');
  expect((await explain(basket)).body.response).toEqual(reply.json());
  const { body } = await explain(basketOf([{}], { loyaltyId: 'member-single' }));
  expect(body.response).toMatchObject({ status: 'unchanged', reason: 'no_applicable_benefits' });
  expect(body.explanation.benefits.find(({ benefitId }) => benefitId === 'single-use')?.reason).toBe('limit_used_up');
  expect(body.explanation.limits.find(({ usageKey }) => usageKey === 'single-use:*')?.left).toBe(0);
});

test('another instant has its own periods', async () => {
  await ringUp('daily', { requestedAt: '2026-11-21T12:00:00+01:00' });
  const again = basketOf([{}], { loyaltyId: 'daily', requestedAt: '2026-11-21T13:00:00+01:00' });
  expect((await explain(again)).body.response.status).toBe('unchanged');
  expect((await explain(again, '?at=2026-11-22T00:00:00%2B01:00')).body.response.status).toBe('applied');
  const refused = await refusalOf('POST /admin/explain?at=yesterday', again);
  expect(refused).toEqual([400, expect.stringContaining('at: found "yesterday"')]);
});

test('a member who is not known has no reasons', async () => {
  const { body } = await explain(basketOf([{}], { loyaltyId: 'nobody' }));
  expect(body.response.status).toBe('member_not_found');
  expect(body.explanation).toMatchObject({ changes: [], benefits: [], totalBefore: 10_000, totalAfter: 10_000 });
});

test.each([
  ['no JSON', '{', 400, 'invalid_request'],
  ['a field missing', JSON.stringify({ ...basketOf(), currency: undefined }), 400, 'invalid_request'],
  ['sums that do not add up', JSON.stringify(basketOf([{ orderLinePrice: 1 }])), 422, 'arithmetic_mismatch'],
  [
    'an unknown venue',
    JSON.stringify(basketOf([{}], { context: { venueId: 'x', cashRegisterId: '1', baxId: '1', channel: 'pos' } })),
    422,
    'venue_not_configured',
  ],
])('%s is refused as the call refuses it', async (_, text, status, code) => {
  const explained = await explain(text);
  expect([explained.status, explained.body]).toMatchObject([status, { error: { code } }]);
  const called = await stage.caller.send('/v1/pos/basket', text);
  expect([called.status, called.code]).toEqual([status, code]);
});
