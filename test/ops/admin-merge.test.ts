/** Two members that become one, uses that are given back by hand, and what calls, sales and returns make of both. */
import { expect, test } from 'vitest';
import { memberToken } from '../../src/store/keys.ts';
import { useSharedService } from '../support/shared-service.ts';
import { memberPath } from './admin-client.ts';
import { deskOf } from './desk.ts';

const stage = useSharedService();
const { call, get, put, ringUp, tell, sell: sellTo, takeBack } = deskOf(stage);
const card = (grantId: string, quantity = 1) => ({ benefitId: 'twenty', grantId, quantity });
const mergeInto = (old: string, into: string) => call(`POST ${memberPath(old)}/merge`, { into });

interface State {
  readonly granted: readonly { readonly consumed: number; readonly held: number }[];
  readonly grants: unknown;
  readonly holds: unknown;
}

const stateOf = (loyaltyId: string) => get<State>(memberPath(loyaltyId));
const sumOf = ({ granted }: State, field: 'consumed' | 'held') => granted.reduce((sum, each) => sum + each[field], 0);

const sell = async (calculationId: string) => (await tell(calculationId)).json<{ result: string }>();

test('the sales of each card are found by either of them', async () => {
  await put('paper card', [card('sold')]);
  await put('app', [card('sold')]);
  const sold: string[] = [];
  const buy = async (loyaltyId: string) => sold.push((await sellTo(loyaltyId)).calculationId);
  await buy('paper card');
  await buy('app');
  await mergeInto('paper card', 'app');
  await buy('paper card');
  for (const id of ['paper%20card', 'app']) {
    type Calculation = { calculationId: string };
    const { calculations } = await get<{ calculations: { calculation: Calculation }[] }>(`/admin/look-up?id=${id}`);
    expect(calculations.map(({ calculation }) => calculation.calculationId)).toEqual(sold);
    const { sales } = await get<{ sales: Calculation[] }>(`/admin/sales?member=${id}`);
    expect(sales.map(({ calculationId }) => calculationId)).toEqual(sold.toReversed());
  }
});

test('a merge that is repeated gives nothing twice, and one that was interrupted is completed', async () => {
  await put('lost', [card('a')]);
  await put('found', [card('b')]);
  const open = await ringUp('lost');
  const redis = stage.redis.client;
  // Interrupted behind its first two steps: the old card is led on, and its counters are closed.
  const [from, into] = [memberToken('coffee-club', 'lost'), memberToken('coffee-club', 'found')];
  await redis.hset(`loyalty:staging:member:{${from}}`, 'into', '"found"');
  await redis.hset(`loyalty:staging:use:{${from}}`, '!moved', into);
  expect(await sell(open.calculationId)).toMatchObject({ result: 'recorded' });
  const replies = await Promise.all([mergeInto('lost', 'found'), mergeInto('lost', 'found')]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  expect(replies.map(({ body }) => body.grants).toSorted()).toEqual([0, 1]);
  expect((await mergeInto('lost', 'found')).body).toMatchObject({ grants: 0, counters: 0, isRepeated: true });
  const { body } = await call(`GET ${memberPath('found')}`);
  expect(body.granted).toMatchObject([
    { grantId: 'b', consumed: 0 },
    { grantId: 'a', consumed: 1 },
  ]);
});

test('of opposite merges that were both interrupted, the one that is repeated goes on', async () => {
  for (const name of ['upper', 'lower']) await put(name, [card(`of-${name}`)]);
  for (const [old, into] of [
    ['upper', 'lower'],
    ['lower', 'upper'],
  ] as const) {
    const member = `loyalty:staging:member:{${memberToken('coffee-club', old)}}`;
    await stage.redis.client.hset(member, 'into', JSON.stringify(into));
  }
  expect(await mergeInto('upper', 'lower')).toMatchObject({ status: 200, body: { grants: 1, isRepeated: false } });
  expect(JSON.stringify((await stateOf('upper')).grants)).toMatch(/of-lower.*of-upper/);
  expect(await mergeInto('lower', 'upper')).toMatchObject({ status: 409 });
  expect((await ringUp('lower')).reply.status).toBe(200);
});

test('what cannot be merged is refused, and an old card is neither written nor erased by itself', async () => {
  for (const name of ['one', 'two', 'three']) await put(name);
  for (const [old, into, status] of [
    ['one', 'one', 400],
    ['one', 'nobody', 404],
    ['nobody', 'one', 404],
    ['member-plain', 'one', 409],
    ['one', 'two', 200],
    ['one', 'three', 409],
    ['three', 'one', 409],
  ] as const) {
    expect([old, into, (await mergeInto(old, into)).status]).toEqual([old, into, status]);
  }
  expect((await put('one', ['twenty'])).status).toBe(409);
  expect((await call(`DELETE ${memberPath('one')}`)).status).toBe(409);
  expect((await call(`PUT ${memberPath('one')}/grants/late`, { benefitId: 'twenty' })).body).toMatchObject({
    loyaltyId: 'two',
  });
  await mergeInto('two', 'three');
  expect((await ringUp('one')).status).toBe('applied');
  const { body } = await call(`DELETE ${memberPath('three')}?certificate=yes`);
  expect(body).toMatchObject({
    erased: { member: true },
    certificate: { programmeId: 'coffee-club', by: 'operator', erased: { mergedLoyaltyIds: 2 }, remaining: 0 },
  });
  for (const gone of ['one', 'two', 'three']) expect((await ringUp(gone)).status).toBe('member_not_found');
  for (const gone of ['one', 'two']) {
    expect(await stage.redis.client.exists(`loyalty:staging:member:{${memberToken('coffee-club', gone)}}`)).toBe(0);
  }
});

test('of merges at once that contradict each other, one wins or none', async () => {
  for (const name of ['left', 'right', 'third']) await put(name, [card(`of-${name}`)]);
  const crossed = await Promise.all([mergeInto('left', 'right'), mergeInto('right', 'left')]);
  const won = crossed.filter(({ status }) => status === 200);
  expect(won.length).toBeLessThanOrEqual(1);
  // Only where the other one has won can it also be over when this one looks.
  const isMerged = '(is being merged into "(left|right)" at this moment: repeat it';
  const wasMerged = won.map(({ body }) => `|was merged into "${body.into}" before`);
  const message = expect.stringMatching(new RegExp(`^The member of \`into\` ${isMerged}${wasMerged})\\.$`));
  for (const { status, body } of crossed) {
    if (status !== 200) expect([status, body]).toMatchObject([409, { error: { message } }]);
  }
  for (const name of ['left', 'right']) expect((await ringUp(name)).reply.status).toBe(200);
  await put('torn', [card('of-torn')]);
  const torn = await Promise.all([mergeInto('torn', 'third'), mergeInto('torn', 'member-of-nobody'), put('fourth')]);
  // Whichever merge looks first: nobody of that name is there, or the member has gone already.
  expect([404, 409]).toContain(torn[1].status);
  expect([torn[0].status, torn[2].status]).toEqual([200, 200]);
  await put('split', [card('of-split')]);
  const split = await Promise.all([mergeInto('split', 'third'), mergeInto('split', 'fourth')]);
  expect(split.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const grants = await Promise.all(
    ['third', 'fourth'].map(async (name) => JSON.stringify((await stateOf(name)).grants)),
  );
  expect(grants.filter((text) => text.includes('of-split'))).toHaveLength(1);
});

test('a use is given back by hand, never more than were consumed, with its reason in the list of changes', async () => {
  await put('sorry', [card('card-9')]);
  const { calculationId } = await ringUp('sorry');
  const path = `POST ${memberPath('sorry')}/uses/card-9/give-back`;
  expect((await call(path, { units: 1, reason: 'nothing yet' })).status).toBe(404);
  await tell(calculationId);
  expect((await ringUp('sorry')).status).toBe('unchanged');
  expect((await call(path, { units: 1 })).status).toBe(400);
  expect((await call(path, { units: 2, reason: 'too many' })).body.error.message).toContain('1 to 1');
  const given = await call(path, { units: 1, reason: 'rung up by mistake' });
  expect([given.status, given.body]).toEqual([200, { counter: 'twenty/card-9:*', givenBack: 1, consumed: 0 }]);
  expect((await ringUp('sorry')).status).toBe('applied');
  const noted = await stage.redis.client.xrevrange('loyalty:staging:changes', '+', '-', 'COUNT', 1);
  expect(noted[0]![1][3]).toBe('give back use');
  expect(JSON.parse(noted[0]![1][5]!)).toMatchObject({ units: 1, reason: 'rung up by mistake' });
});

test('while members are merged, every basket of both is answered and every sale is booked once', async () => {
  await put('busy', [card('stack', 100)]);
  await put('calm', [card('stack', 100)]);
  const sold: string[] = [];
  const till = async (loyaltyId: string) => {
    for (let round = 0; round < 12; round += 1) {
      const { calculationId, reply, status } = await ringUp(loyaltyId);
      expect([reply.status, status]).toEqual([200, 'applied']);
      // A busy machine may refuse a call that it has booked, and its retry is a duplicate then. What is consumed tells that it was once.
      expect(['recorded', 'duplicate']).toContain((await sell(calculationId)).result);
      sold.push(calculationId);
    }
  };
  const [merged] = await Promise.all([mergeInto('busy', 'calm'), ...['busy', 'calm', 'busy', 'calm'].map(till)]);
  expect(merged.status).toBe(200);
  const state = await stateOf('calm');
  expect([sold.length, sumOf(state, 'consumed'), sumOf(state, 'held')]).toEqual([48, 48, 0]);
  expect(state.grants).toEqual([card('stack', 200)]);
});

test('a copy has everything about one member, its baskets with their lines, sales and returns', async () => {
  await put('copied', [card('card-5')], { tier: 'gold', memberLabel: 'Gold' });
  const { basket } = await sellTo('copied');
  const open = await ringUp('copied');
  await takeBack(basket.calculationId, 'r-copy');
  const { status, body } = await call(`GET ${memberPath('copied')}/copy`);
  expect([status, body]).toMatchObject([
    200,
    {
      ...{ programmeId: 'coffee-club', loyaltyId: 'copied', mergedLoyaltyIds: [] },
      member: { tier: 'gold', memberLabel: 'Gold', grants: [card('card-5')] },
      used: { 'twenty/card-5:*': 0 },
    },
  ]);
  const calculations = body.calculations as unknown as { calculationId: string; state: string }[];
  expect(calculations.map(({ calculationId }) => calculationId).toSorted()).toEqual(
    [basket.calculationId, open.calculationId].toSorted(),
  );
  const { productId, quantity, unitPrice } = basket.lines[0]!;
  expect(calculations.find(({ calculationId }) => calculationId === basket.calculationId)).toMatchObject({
    ...{ state: 'sold', venueId: basket.context.venueId, sale: { status: 'applied' } },
    basket: { currency: basket.currency, tier: 'gold', lines: [{ productId, quantity, unitPrice }] },
    returns: [{ returnId: 'r-copy' }],
  });
  expect((await call(`GET ${memberPath('never-seen')}/copy`)).status).toBe(404);
});
