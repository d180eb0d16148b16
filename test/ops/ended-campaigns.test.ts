/** The forecasts of limits over all members end with the campaigns that draw on them. */
import { expect, test } from 'vitest';
import type { CommonLimitState } from '../../packages/console/src/common-limit-states.ts';
import { type Benefit, configurationOf, memberOf } from '../support/configuration.ts';
import { useSharedService } from '../support/shared-service.ts';
import { deskOf } from './desk.ts';

const DAY_MS = 86_400_000;
const dayOf = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, '2026-11-21'.length);

/** Half price of its own product group, as often as its limit allows. */
const campaign = (benefitId: string, quantity: number, when: object | undefined, limitId?: string): Benefit =>
  ({
    ...{ benefitId, kind: 'line_percent', percent: 50, text: benefitId, audience: 'everyone', ...(when && { when }) },
    appliesTo: { productGroupIds: [benefitId] },
    limit: { quantity, period: 'lifetime', counts: 'baskets', of: 'programme', ...(limitId && { limitId }) },
  }) as Benefit;

const PAST = { from: '2020-01-01', to: '2020-01-31' };
const IN_PAST = '2020-01-15T12:00:00+01:00';
const [soon, later] = [dayOf(3), dayOf(400)];
const stage = useSharedService(
  configurationOf({
    programme: {
      benefits: [
        campaign('running', 3, undefined),
        campaign('ended', 3, PAST),
        campaign('ends-soon', 1_000_000, [PAST, { from: '2020-01-01', to: soon }]),
        campaign('ends-later', 3, { to: later }),
        campaign('shared-ended', 3, PAST, 'shared'),
        campaign('shared-running', 3, undefined, 'shared'),
      ],
    },
    members: [memberOf('guest')],
  }),
);

const desk = deskOf(stage);
async function sell(productGroupId: string, requestedAt: string): Promise<void> {
  expect((await desk.sell('guest', { requestedAt }, { lines: [{ productGroupId }] })).status).toBe('applied');
}

test('a limit whose campaigns have ended before it runs out has no day on which it does', async () => {
  const now = new Date().toISOString();
  for (const group of ['running', 'ends-soon', 'ends-later']) await sell(group, now);
  for (const group of ['ended', 'shared-ended']) await sell(group, IN_PAST);
  const { limits } = await desk.get<{ limits: CommonLimitState[] }>('/admin/limits');
  const states = limits.map(({ benefitId, limitId, consumed, runsOutOn, endsOn }) => {
    return [limitId ?? benefitId, consumed, runsOutOn !== undefined, endsOn];
  });
  expect(Object.fromEntries(states.map(([name, ...state]) => [name, state]))).toEqual({
    running: [1, true, undefined],
    ended: [1, false, '2020-01-31'],
    'ends-soon': [1, false, soon],
    'ends-later': [1, true, later],
    shared: [1, true, undefined],
  });
});
