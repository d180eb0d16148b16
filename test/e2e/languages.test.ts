/** Two venues in two languages at one service: answers, explanations, replays and what the administration says of a member. */
import { expect, test } from 'vitest';
import { ask, memberPath } from '../ops/admin-client.ts';
import { BERGEN, basketOf, OSLO } from '../support/baskets.ts';
import { configurationOf, SINGLE_USE, TWENTY } from '../support/configuration.ts';
import { useSharedService } from '../support/shared-service.ts';
import type { ContextBody } from '../support/wire.ts';

const text = { nb: 'Bløtkake på huset', sv: 'Gräddtårta på huset' };
const programme = {
  memberLabel: { nb: 'Kaffeklubben', sv: 'Kaffeklubb' },
  benefits: [TWENTY, { ...SINGLE_USE, text }],
};
const configuration = configurationOf({ programme });
const [oslo, bergen] = configuration.venues;
Object.assign(oslo!, { language: 'nb' });
Object.assign(bergen!, { language: 'sv' });
const stage = useSharedService(configuration);

test.each<[string, ContextBody, string, string]>([
  ['oslo', OSLO, text.nb, 'Kaffeklubben'],
  ['bergen', BERGEN, text.sv, 'Kaffeklubb'],
])('guests in %s read their language', async (name, context, words, memberLabel) => {
  const loyaltyId = `guest-in-${name}`;
  const put = { body: { status: 'active', grants: ['single-use'] } };
  expect((await ask(stage.service.opsUrl, `PUT ${memberPath(loyaltyId)}`, put)).status).toBe(200);
  const basket = basketOf([{}], { loyaltyId, context });
  const answer = await stage.caller.basket(basket);
  expect(answer.json()).toMatchObject({ status: 'applied', memberLabel, lines: [{ lineDiscountText: words }] });
  const replay = await stage.caller.basket(basket);
  expect(replay.json()).toEqual(answer.json());
  const look = { body: basketOf([{}], { loyaltyId, context }) };
  const { status, body } = await ask(stage.service.opsUrl, 'POST /admin/explain', look);
  expect(status).toBe(200);
  expect(JSON.stringify(body)).toContain(memberLabel);
});

test('the limits of a member are told, although no venue has the programme in no language', async () => {
  const path = memberPath('limited-guest');
  await ask(stage.service.opsUrl, `PUT ${path}`, { body: { status: 'active', grants: ['single-use'] } });
  const { body } = await ask(stage.service.opsUrl, `GET ${path}`);
  expect(body['limits']).toMatchObject([{ benefitId: 'single-use', limit: 1, left: 1 }]);
});
