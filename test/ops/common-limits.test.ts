/** What is left of limits over all members: the administration, the live page's source, metrics, explanation and returns. */
import { expect, test } from 'vitest';
import { BERGEN, basketOf } from '../support/baskets.ts';
import { type Benefit, configurationOf, memberOf, SINGLE_USE, TWENTY } from '../support/configuration.ts';
import { readingOf, scrape } from '../support/metrics.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/wait.ts';
import { memberPath, OPS_TOKEN } from './admin-client.ts';
import { deskOf } from './desk.ts';

const HALF: Benefit = {
  ...{ benefitId: 'half', kind: 'line_percent', percent: 50, text: 'Half of it' },
  limit: [
    { quantity: 1000, period: 'lifetime', counts: 'baskets', of: 'programme' },
    { quantity: 9000, period: 'day', counts: 'money', of: 'venue' },
  ],
};
const guests = Array.from({ length: 9 }, (_, guest) => memberOf(`guest-${guest}`));
const stage = useService({
  configuration: configurationOf({ programme: { benefits: [TWENTY, SINGLE_USE, HALF] }, moreMembers: guests }),
  env: { OPS_TOKEN: `tests:${OPS_TOKEN}` },
});

const { call, get, put, ringUp, tell, takeBack } = deskOf(stage);
let guest = 0;
const next = () => [`guest-${guest++}`, { requestedAt: new Date().toISOString() }] as const;

interface Limit {
  readonly of: string;
  readonly runsOutOn?: string;
  readonly since?: string;
}

const limits = async () => (await get<{ limits: Limit[] }>('/admin/limits')).limits;

const ofProgramme = async () => (await limits()).find(({ of }) => of === 'programme');

test('an untouched limit has all of it left, and a call holds, a sale consumes, a return gives back', async () => {
  expect(await limits()).toEqual([
    expect.objectContaining({ benefitId: 'half', of: 'programme', quantity: 1000, consumed: 0, held: 0, left: 1000 }),
    expect.objectContaining({ of: 'venue', venueId: 'oslo-central', counts: 'money', currency: 'NOK', left: 9000 }),
    expect.objectContaining({ of: 'venue', venueId: 'bergen-quay', left: 9000 }),
  ]);
  const { calculationId, status, totals } = await ringUp(...next());
  expect([status, totals?.total]).toEqual(['applied', 5000]);
  expect(await ofProgramme()).toMatchObject({ consumed: 0, held: 1, left: 999 });
  expect(await ofProgramme()).not.toHaveProperty('runsOutOn');
  await tell(calculationId);
  expect(await ofProgramme()).toMatchObject({ consumed: 1, held: 0, left: 999, since: expect.any(String) });

  for (let time = 0; time < 2; time += 1) expect((await takeBack(calculationId, 'r-1')).status).toBe(200);
  expect(await limits()).toEqual([
    expect.objectContaining({ consumed: 0, held: 0, left: 1000 }),
    expect.objectContaining({ venueId: 'oslo-central', consumed: 0, held: 0, left: 9000 }),
    expect.objectContaining({ venueId: 'bergen-quay' }),
  ]);
});

test('the explanation says what is left of how much, and that nothing is left at the venue; the day cuts the last discount', async () => {
  const explain = async () => {
    const [loyaltyId, more] = next();
    type Explained = { explanation: { benefits: { benefitId: string }[] } };
    const { body } = await call<Explained>('POST /admin/explain', basketOf([{}], { loyaltyId, ...more }));
    return body.explanation.benefits.find(({ benefitId }) => benefitId === 'half');
  };
  expect(await explain()).toMatchObject({ applied: true, left: '999 of 1,000 left, 40.00 of 90.00 left today' });
  const paid: unknown[] = [];
  for (let sale = 0; sale < 3; sale += 1) {
    const { calculationId, status, totals } = await ringUp(...next());
    paid.push(totals?.total);
    await tell(calculationId, status);
  }
  // Half of 100.00, then the 40.00 that are left of the day, then nothing.
  expect(paid).toEqual([5000, 6000, undefined]);
  expect(await explain()).toMatchObject({
    ...{ applied: false, reason: 'limit_used_up' },
    explanation: 'Nothing is left of its limit for all members at this venue.',
    change: 'tomorrow',
  });
});

test('the page and the metrics show the same', async () => {
  const live = await fetch(`${stage.service.opsUrl}/live/limits`);
  expect(await live.json()).toEqual({ limits: await limits() });
  expect((await limits())[1]).toMatchObject({
    consumed: 9000,
    left: 0,
    runsOutOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
  });
  const labels = { programme: 'coffee-club', limit: 'half', of: 'programme', period: 'lifetime', counts: 'baskets' };
  await until('the metrics to have been read', async () => {
    const samples = await scrape(stage.service);
    return readingOf(samples, 'loyalty_limit_consumed', labels) === 2;
  });
  const samples = await scrape(stage.service);
  expect(readingOf(samples, 'loyalty_limit_quantity', labels)).toBe(1000);
  expect(readingOf(samples, 'loyalty_limit_left', labels)).toBe(998);
  expect(readingOf(samples, 'loyalty_limit_left', { of: 'venue', venue: 'oslo-central' })).toBe(0);
});

test('a member’s holds are those of limits over all members too, as long as they last', async () => {
  await put('holder');
  const holds = async () => (await get<{ holds: object[] }>(memberPath('holder'))).holds;
  const ringUpInBergen = (more: object = {}) => ringUp('holder', { context: BERGEN, ...more });
  const first = await ringUpInBergen();
  const units = { 'half~programme:*': 1, 'half$NOK~venue:2026-11-20': 5000 };
  const held = (calculationId: string) => [{ calculationId, until: expect.stringMatching(/Z$/), units }];
  expect(await holds()).toEqual(held(first.calculationId));
  const second = await ringUpInBergen({ supersedesCalculationId: first.calculationId });
  expect(await holds()).toEqual(held(second.calculationId));
  await tell(second.calculationId);
  expect(await holds()).toEqual([]);
});
