/** Grants given and taken one by one, and what baskets and sales make of them. */
import { expect, test } from 'vitest';
import { basketOf } from '../support/baskets.ts';
import { useSharedService } from '../support/shared-service.ts';
import { readToldEvents } from '../support/told-events.ts';
import { memberPath } from './admin-client.ts';
import { deskOf } from './desk.ts';

const stage = useSharedService();
const { call, put, tell, refusalOf, ...desk } = deskOf(stage);

const card = { benefitId: 'twenty', quantity: 1 };

async function makeMember(loyaltyId: string, grants: unknown[] = []): Promise<string> {
  await put(loyaltyId, grants);
  return memberPath(loyaltyId);
}

/** Rings a basket up; with `isSold` its sale is told too. Returns whether a benefit applied. */
async function ringUp(loyaltyId: string, isSold = true): Promise<string> {
  const { status, calculationId } = await desk.ringUp(loyaltyId);
  if (isSold) await tell(calculationId);
  return status;
}

test('a grant whose campaign ended is kept and refuses no other grant', async () => {
  const path = await makeMember('winter');
  const redis = stage.redis.client;
  for (const key of await redis.keys('*:member:*')) {
    if ((await redis.hget(key, 'loyaltyId')) === '"winter"') await redis.hset(key, 'grants', 'last-winter');
  }
  const given = await call(`PUT ${path}/grants/card-7`, card);
  expect([given.status, given.body.grants]).toEqual([200, ['last-winter', { ...card, grantId: 'card-7' }]]);
  expect(given.body.endedBenefits).toEqual(['last-winter']);
  const whole = { status: 'paused', grants: given.body.grants };
  expect((await call(`PUT ${path}`, whole)).status).toBe(200);
  expect((await call(`PUT ${path}/grants/card-9`, { benefitId: 'never-was' })).status).toBe(400);
});

test('the same grant again gives nothing new, even after it was taken', async () => {
  const path = await makeMember('again');
  await call(`PUT ${path}/grants/card-7`, card);
  expect(await ringUp('again')).toBe('applied');
  await call(`PUT ${path}/grants/card-7`, card);
  expect(await ringUp('again')).toBe('unchanged');

  expect((await call(`DELETE ${path}/grants/card-7`)).body).toMatchObject({ grants: [] });
  expect((await call(`DELETE ${path}/grants/card-7`)).status).toBe(200);
  await call(`PUT ${path}/grants/card-7`, card);
  expect(await ringUp('again')).toBe('unchanged');

  await call(`PUT ${path}/grants/card-7`, { ...card, quantity: 2 });
  expect(await ringUp('again')).toBe('applied');
});

test('an open calculation holds the grant, and a cancelled sale gives it back', async () => {
  const path = await makeMember('held', [{ ...card, grantId: 'card-7' }]);
  const { calculationId, status } = await desk.ringUp('held');
  expect(status).toBe('applied');
  expect(await ringUp('held', false)).toBe('unchanged');
  expect((await call(`GET ${path}`)).body.granted).toMatchObject([{ consumed: 0, held: 1, left: 0 }]);
  const { body } = await call(`GET /admin/calculations/${calculationId}`);
  expect(body.held).toMatchObject({ uses: [{ benefitId: 'twenty', grantId: 'card-7', units: 1, limit: 1 }] });
  expect((body.story as string[]).join()).toContain('twenty (grant card-7): 1 of 1');

  await tell(calculationId, 'cancelled');
  expect(await ringUp('held')).toBe('applied');
  type Explained = { explanation: { benefits: Record<string, unknown>[] } };
  const explained = await call<Explained>('POST /admin/explain', basketOf([{}], { loyaltyId: 'held' }));
  const reason = explained.body.explanation.benefits.find(({ benefitId }) => benefitId === 'twenty');
  expect(reason).toMatchObject({ applied: false, reason: 'grants_used_up', change: '1 of 1 card used' });
});

test('thirty at once are all given and all taken, also beside writes of the member with If-Match: *', async () => {
  const path = await makeMember('thirty-at-once');
  const names = Array.from({ length: 30 }, (_, i) => `card-${i}`);
  const given = await Promise.all(names.map((name) => call(`PUT ${path}/grants/${name}`, card)));
  expect(given.map(({ status }) => status)).toEqual(names.map(() => 200));
  expect(((await call(`GET ${path}`)).body.grants as unknown[]).length).toBe(30);

  const anyState = { status: 'active', tier: 'gold', grants: [] };
  const mixed = await Promise.all([
    ...names.map((name) => call(`DELETE ${path}/grants/${name}`)),
    ...names.map(() => call(`PUT ${path}`, anyState, { ifMatch: '*' })),
  ]);
  expect(mixed.map(({ status }) => status)).toEqual(mixed.map(() => 200));
  expect((await call(`GET ${path}`)).body.grants).toEqual([]);
});

test('a grant with If-Match is given only to the member as it was read, to one of many at once', async () => {
  const path = await makeMember('grants-if-match');
  const etag = (await call(`GET ${path}`)).headers.get('etag');
  const names = ['card-1', 'card-2', 'card-3', 'card-4'];
  const given = await Promise.all(names.map((name) => call(`PUT ${path}/grants/${name}`, card, { ifMatch: etag })));
  expect(given.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
  const late = await call(`DELETE ${path}/grants/card-1`, undefined, { ifMatch: etag });
  expect([late.status, late.body.error.code]).toEqual([412, 'precondition_failed']);
  expect((await call(`GET ${path}`)).body.grants).toHaveLength(1);
});

test('what cannot be a grant, or has no member, is refused', async () => {
  const path = await makeMember('refused');
  for (const [name, body, words] of [
    ['card-7', { benefitId: 'thirty' }, 'benefitId: found "thirty"'],
    ['card-7', { ...card, quantity: 0 }, 'quantity: found 0'],
    ['card-7', { ...card, grantId: 'card-8' }, 'another grant'],
    ['card%207', card, 'grantId: found "card 7"'],
    ['card-7', '[]', 'a mapping'],
  ] as const) {
    expect(await refusalOf(`PUT ${path}/grants/${name}`, body)).toEqual([400, expect.stringContaining(words)]);
  }
  expect((await call(`PUT ${memberPath('nobody')}/grants/card-7`, card)).status).toBe(404);
  expect((await call(`PUT ${memberPath('member-paused')}/grants/card-7`, card)).status).toBe(409);
  expect((await call(`DELETE ${memberPath('member-paused')}/grants/twenty`)).status).toBe(409);
});

test('a grant that can give nothing because something is used up is answered with a warning', async () => {
  const path = await makeMember('spent');
  expect((await call(`PUT ${path}/grants/card-7`, card)).body).not.toHaveProperty('warnings');
  expect(await ringUp('spent')).toBe('applied');
  expect((await call(`PUT ${path}/grants/card-7`, card)).body.warnings).toEqual([
    'The grant card-7 has been used once, so it gives nothing more: another voucher needs another grantId.',
  ]);
  const once = { benefitId: 'single-use', quantity: 1 };
  await put('spent', [{ ...once, grantId: 'first' }]);
  expect(await ringUp('spent')).toBe('applied');
  const second = { ...once, grantId: 'second' };
  const words = 'The limit of 1 of single-use is used up for good, so the grant gives nothing.';
  expect((await call(`PUT ${path}/grants/second`, once)).body.warnings).toEqual([words]);
  const third = { ...once, grantId: 'third' };
  const replaced = await put('spent', [second, third]);
  expect([replaced.status, replaced.body.warnings]).toEqual([200, [words]]);
  expect((await call(`GET ${path}`)).body).not.toHaveProperty('warnings');
});

test('a grant that was used and then revoked is shown with its uses', async () => {
  const path = await makeMember('revoked', [{ benefitId: 'twenty', grantId: 'used-card', quantity: 3 }]);
  await ringUp('revoked');
  const grant = { benefitId: 'twenty', grantId: 'used-card', consumed: 1, held: 0, overRedeemed: 0 };
  expect((await call(`GET ${path}`)).body.granted).toEqual([{ ...grant, quantity: 3, left: 2 }]);
  const { body } = await call(`DELETE ${path}/grants/used-card`);
  expect([body.grants, body.granted]).toEqual([[], [{ ...grant, left: 0, isRevoked: true }]]);
  const events = (await readToldEvents(stage.redis.client)).filter(({ grantId }) => grantId === 'used-card');
  expect(events).toMatchObject([
    { result: 'granted', quantity: 3 },
    { result: 'revoked', quantity: 3, used: 1 },
  ]);
});
