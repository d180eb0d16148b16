/** Members made, changed and shown by the administration, and what the basket call makes of them. */
import { expect, test } from 'vitest';
import { memberToken } from '../../src/store/keys.ts';
import { basketOf } from '../support/baskets.ts';
import { contentsOf } from '../support/redis-contents.ts';
import { useSharedService } from '../support/shared-service.ts';
import { until } from '../support/wait.ts';
import { memberPath } from './admin-client.ts';
import { deskOf } from './desk.ts';

const stage = useSharedService();

const { call, get, put, ringUp, sell, tell, refusalOf } = deskOf(stage);
const answerFor = async (loyaltyId: string) => (await ringUp(loyaltyId)).reply.json<object>();

test.each(['café/№ 7?', '%2F', ' ', 'x'.repeat(64), '👋'.repeat(64), '{"a":1}', '\u0000'])(
  'a loyalty ID may be any text: %j',
  async (loyaltyId) => {
    const made = await put(loyaltyId, ['twenty']);
    expect([made.status, made.body.loyaltyId]).toEqual([200, loyaltyId]);
    expect((await ringUp(loyaltyId)).status).toBe('applied');
  },
);

test.each([
  [{ status: 'activ' }, 'status: found "activ", allowed: one of active, paused, expired, blocked'],
  [{}, 'status: found nothing, allowed: one of active, paused, expired, blocked'],
  [
    { status: 'active', grants: ['twenty', 'thirty'] },
    'grants[1]: found "thirty", allowed: one of half-units, single-use, twenty',
  ],
  [{ status: 'active', colour: 'red' }, 'the body: found the unknown field "colour"'],
  [{ status: 'active', memberLabel: 'x'.repeat(41) }, 'memberLabel: found'],
  [{ status: 'active', loyaltyId: 'somebody-else' }, 'another member than the path'],
  ['[]', 'the body: found [], allowed: a mapping'],
  ['{"status"', 'The body is not JSON.'],
])('%j is refused with the place of the fault', async (body, words) => {
  const refused = await refusalOf(`PUT ${memberPath('refused')}`, body);
  expect(refused).toEqual([400, expect.stringContaining(words)]);
  expect((await call(`GET ${memberPath('refused')}`)).status).toBe(404);
});

test('a loyalty ID of more than 64 characters is refused', async () => {
  const refused = await refusalOf(`PUT ${memberPath('x'.repeat(65))}`, { status: 'active' });
  expect(refused).toEqual([400, expect.stringContaining('loyaltyId: found')]);
});

test('a member of the configuration file is shown, and changed only there', async () => {
  const shown = await call(`GET ${memberPath('member-paused')}`);
  expect(shown.body).toMatchObject({ status: 'paused', grants: ['twenty'], source: 'configuration' });
  const refused = await refusalOf(`PUT ${memberPath('member-paused')}`, { status: 'active' });
  expect(refused).toEqual([409, expect.stringContaining('configuration file')]);
  expect(await answerFor('member-paused')).toMatchObject({ reason: 'member_inactive' });
});

test('an erased member is not found, leaves no key behind, and may be erased again', async () => {
  const path = memberPath('to-be-erased');
  const { body: made } = await put('to-be-erased', ['single-use']);
  const token = memberToken('coffee-club', 'to-be-erased');
  const { calculationId } = await sell('to-be-erased');

  for (const look of [`look-up?id=to-be-erased`, `calculations/${calculationId}`]) {
    expect((await call(`GET /admin/${look}`)).status).toBe(200);
  }
  await call('POST /admin/explain', basketOf([{}], { loyaltyId: 'to-be-erased' }));

  expect((await call(`DELETE ${path}`)).body).toEqual({ erased: { member: true, calculations: 1 } });
  // Somebody with a list of all card numbers can compute every token, and searches whatever is left for them.
  const contents = await contentsOf(stage.redis.client);
  const erased = await until('the line of the erasure', () =>
    stage.service.log.find(({ action, member }) => action === 'erase member' && member === made.member),
  );
  expect(contents).toContain(made.member);
  const output = stage.service.output.join('\n');
  for (const trace of [token, 'to-be-erased']) {
    expect(contents).not.toContain(trace);
    expect(output).not.toContain(trace);
    expect(JSON.stringify(erased)).not.toContain(trace);
  }
  expect((await call(`GET ${path}`)).status).toBe(404);
  expect((await call(`GET /admin/calculations/${calculationId}`)).status).toBe(404);
  expect((await ringUp('to-be-erased')).status).toBe('member_not_found');
  const again = await call(`DELETE ${path}`);
  expect([again.status, again.body]).toMatchObject([200, { erased: { member: false } }]);

  // Made anew, it is a new member: what the old one had consumed is forgotten.
  await put('to-be-erased', ['single-use']);
  expect((await ringUp('to-be-erased')).status).toBe('applied');
  expect((await call(`DELETE ${memberPath('member-plain')}`)).status).toBe(409);
});

test('erasures of a member at once, and one that finds nothing more, are one row in the list of changes', async () => {
  interface Changes {
    readonly changes: readonly { readonly action: string; readonly facts?: { readonly member?: string } }[];
  }
  const rows = async (member: unknown) => {
    const { changes } = await get<Changes>('/admin/configurations');
    return changes.filter(({ action, facts }) => action === 'erase member' && facts?.member === member).length;
  };
  const path = memberPath('erased-once');
  const { body: made } = await put('erased-once', ['single-use']);
  await sell('erased-once');
  const erasures = await Promise.all(Array.from({ length: 3 }, () => call(`DELETE ${path}`)));
  expect(erasures.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await rows(made.member)).toBe(1);
  expect((await call(`DELETE ${path}`)).status).toBe(200);
  expect(await rows(made.member)).toBe(1);
});

test('limits are told as held, then consumed, then what is left', async () => {
  const path = memberPath('limited');
  await put('limited', ['single-use']);
  const limit = { benefitId: 'single-use', period: '*', counts: 'baskets', limit: 1 };
  const limits = async () => (await call(`GET ${path}`)).body.limits;
  const everywhere = { venues: ['oslo-central', 'bergen-quay'] };
  expect(await limits()).toEqual([{ ...limit, consumed: 0, held: 0, overRedeemed: 0, left: 1, ...everywhere }]);

  const { calculationId } = await ringUp('limited');
  expect(await limits()).toMatchObject([{ ...limit, consumed: 0, held: 1, left: 0 }]);
  const { body } = await call(`GET ${path}`);
  expect(body.holds).toEqual([{ calculationId, until: expect.any(String), units: { 'single-use:*': 1 } }]);

  await tell(calculationId);
  expect(await limits()).toMatchObject([{ ...limit, consumed: 1, held: 0, left: 0 }]);
  // Written anew, a member keeps what it has consumed.
  await put('limited', ['single-use']);
  expect(await limits()).toMatchObject([{ consumed: 1, left: 0 }]);
});
