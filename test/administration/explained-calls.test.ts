/** A basket that is only asked about, on a real Redis: its own holds leave it its benefits, and nothing is written. */
import { expect, test } from 'vitest';
import { type Explanation, explainBasket, readExplainedBasket } from '../../src/administration/dry-run.ts';
import { writeMembers } from '../../src/store/member-writes.ts';
import { basketNow, tokenOf } from '../calls/support/club.ts';
import { ask, useTill } from '../calls/support/till.ts';
import { type Benefit, configurationOf, memberOf, TWENTY } from '../support/configuration.ts';
import type { BasketBody } from '../support/wire.ts';

/** 20 % off a hundred cups in a lifetime, and off ten cups of the whole club in a day those of its group. */
const HUNDRED = {
  ...TWENTY,
  benefitId: 'hundred',
  limit: { quantity: 100, period: 'lifetime', counts: 'items' },
} as const;
const CROWD = {
  ...{ ...TWENTY, benefitId: 'crowd', audience: 'everyone', percent: 50, appliesTo: { productGroupIds: ['crowd'] } },
  limit: { quantity: 10, period: 'day', counts: 'items', of: 'programme' },
} as Benefit;
const till = useTill(
  configurationOf({
    programme: { benefits: [HUNDRED, CROWD] },
    requestedAt: { pastHours: 1, aheadMinutes: 60 },
    members: [memberOf('anna', ['hundred']), memberOf('carla')],
  }),
);
const basketOf = (more: Parameters<typeof basketNow>[1] = {}, quantity = 1, productGroupId = 'coffee') =>
  basketNow([{ quantity, productGroupId }], { loyaltyId: 'anna', ...more });

async function explain(basket: BasketBody, at?: string) {
  const asked = readExplainedBasket(Buffer.from(JSON.stringify(basket)), at);
  if ('code' in asked) throw new Error(asked.message);
  const explained = await explainBasket(till.context, asked);
  if (explained.kind === 'refusal') throw new Error(explained.refusal.message);
  return explained;
}

const leftOf = ({ limits }: Explanation, name: string) =>
  limits.find(({ usageKey }) => usageKey.startsWith(name))?.left;

test.each([
  ['few others', 2],
  ['so many others that they are not all read', 40],
])('what a basket holds counts for others only, and so does what it supersedes: beside %s', async (_, others) => {
  await writeMembers(till.context.store, till.context.environment.members);
  const first = basketOf({}, 30);
  await ask(till.context, first);
  for (let count = 0; count < others; count++) await ask(till.context, basketOf());
  const keys = (await till.redis.client.keys('*')).sort();
  const lefts = [first, basketOf({ supersedesCalculationId: first.calculationId }), basketOf()].map(async (basket) =>
    leftOf((await explain(basket)).explanation, 'hundred'),
  );
  expect(await Promise.all(lefts)).toEqual([100 - others, 100 - others, 70 - others]);
  // To ask writes nothing.
  expect((await till.redis.client.keys('*')).sort()).toEqual(keys);
});

test('what the whole club has used is told', async () => {
  await writeMembers(till.context.store, till.context.environment.members);
  const { requestedAt } = basketOf();
  await ask(till.context, basketOf({ loyaltyId: 'carla', requestedAt }, 4, 'crowd'));
  const { explanation, member } = await explain(basketOf({ requestedAt }));
  expect(leftOf(explanation, 'crowd')).toBe(6);
  expect(member).toBe(tokenOf('anna'));
});

test('a member who was merged has what the other one has', async () => {
  const { store, environment } = till.context;
  await writeMembers(store, environment.members);
  await ask(till.context, basketOf({}, 30));
  await till.redis.client.hset(store.keys.member(tokenOf('carla')), 'into', '"anna"');
  const { explanation } = await explain(basketOf({ loyaltyId: 'carla' }));
  expect(explanation).toMatchObject({ member: { grants: ['hundred'] }, totalBefore: 10_000, totalAfter: 8_000 });
  expect(leftOf(explanation, 'hundred')).toBe(70);
});

test('at the time of a member whose clock was moved, or at the one that was given', async () => {
  const { store, environment } = till.context;
  await writeMembers(store, environment.members);
  const basket = basketOf();
  const { requestedAt } = basket;
  await ask(till.context, basketOf({ loyaltyId: 'carla', requestedAt }, 4, 'crowd'));
  const day = 86_400_000;
  const soon = Date.parse(requestedAt) + day;
  await till.redis.client.hset(store.keys.member(tokenOf('anna')), 'clock', `${day} ${soon}`);
  // Of the limit of the next day nothing is used.
  const moved = await explain(basket);
  expect([Date.parse(moved.explanation.at), leftOf(moved.explanation, 'crowd')]).toEqual([soon, 10]);
  const given = await explain(basket, requestedAt);
  expect([given.explanation.at, leftOf(given.explanation, 'crowd')]).toEqual([requestedAt, 6]);
});
