/**
 * Baskets in which the staff has been before loyalty, loyalty IDs that look like something else, and what random baskets cost.
 * Every status, reason and label is in test/corpus, and the 20 % are in the kit.
 */
import { describe, expect, test } from 'vitest';
import { Random } from '../../packages/simulator/src/random.ts';
import { basketOf, type LineWords, randomBasket } from '../support/baskets.ts';
import { configurationOf, memberOf, SINGLE_USE, TWENTY } from '../support/configuration.ts';
import { rightAnswer } from '../support/right-answer.ts';
import { useSharedService } from '../support/shared-service.ts';
import type { BasketAnswerBody } from '../support/wire.ts';

const HOSTILE_IDS = [
  '{loy}:x',
  '*',
  'a\r\nDEL x',
  '../../etc',
  '🍪'.repeat(64),
  'a\u0000b',
  ' ',
  '__proto__',
  'member:{1}',
  '\u202ex',
];

const MINIMUM = { ...TWENTY, benefitId: 'minimum', minimumSpend: 10_000 };

const stage = useSharedService(
  configurationOf({
    programme: { benefits: [TWENTY, SINGLE_USE, MINIMUM] },
    moreMembers: [
      memberOf('member-minimum', ['minimum']),
      ...HOSTILE_IDS.map((loyaltyId) => memberOf(loyaltyId, ['twenty'])),
    ],
  }),
);

async function answerFor(loyaltyId: string, words: readonly LineWords[] = [{}]): Promise<BasketAnswerBody> {
  const answer = await stage.caller.basket(basketOf(words, { loyaltyId }));
  expect(answer.status).toBe(200);
  return answer.json<BasketAnswerBody>();
}

test.each(HOSTILE_IDS)('a loyalty ID is opaque: %j', async (loyaltyId) => {
  expect((await answerFor(loyaltyId)).status).toBe('applied');
});

test.each([1, 5, 50, 200])('random baskets of %d lines cost the guest what they should', async (count) => {
  const random = new Random(count);
  for (let round = 0; round < 10; round += 1) {
    const request = randomBasket(random, count, { loyaltyId: 'member-twenty' });
    const answer = (await stage.caller.basket(request)).json<BasketAnswerBody>();
    const right = rightAnswer(request, 20);
    const isWorthIt = right.totals.total < request.totals.total;
    expect(answer.status, `seed ${count}, round ${round}`).toBe(isWorthIt ? 'applied' : 'unchanged');
    if (answer.status === 'applied') expect(answer.totals).toEqual(right.totals);
  }
});

describe('unchanged', () => {
  test.each<[reason: string, why: string, loyaltyId: string, words: readonly LineWords[]]>([
    ['all_lines_excluded', 'the staff gave as much', 'member-twenty', [{ existing: 2_000 }]],
    ['all_lines_excluded', 'the line is free already', 'member-twenty', [{ shares: { 'staff-1': 10_000 } }]],
    ['member_inactive', 'and nothing else is asked', 'member-paused', [{ noDiscount: true }]],
    ['basket_too_small', 'one unit below the minimum', 'member-minimum', [{ unitPrice: 9_999 }]],
    ['basket_too_small', 'the staff discount brings it below', 'member-minimum', [{ unitPrice: 10_000, existing: 1 }]],
  ])('%s: %s', async (reason, _, loyaltyId, words) => {
    expect(await answerFor(loyaltyId, words)).toMatchObject({ status: 'unchanged', reason });
  });

  test('not at the minimum, but where lines cost nothing', async () => {
    expect((await answerFor('member-minimum', [{ unitPrice: 4_000 }, { unitPrice: 6_000 }])).status).toBe('applied');
    expect((await answerFor('member-twenty', [{ unitPrice: 0 }, { unitPrice: 2 }])).status).toBe('unchanged');
  });
});
