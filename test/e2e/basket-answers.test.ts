/** The three statuses of a basket answer, the four reasons, and the member who always gets 20 % (interface, sections 1 and 2). */
import { describe, expect, test } from 'vitest';
import { Random } from '../../packages/simulator/src/random.ts';
import { basketOf, randomBasket } from '../support/baskets.ts';
import { configurationOf, memberOf, SINGLE_USE, TWENTY } from '../support/configuration.ts';
import { rightAnswer } from '../support/right-answer.ts';
import { useSharedService } from '../support/shared-service.ts';
import type { AppliedBody, BasketAnswerBody, UnchangedBody } from '../support/wire.ts';

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
      memberOf('member-labelled', ['twenty'], { memberLabel: 'Gold, since 2019' }),
      ...HOSTILE_IDS.map((loyaltyId) => memberOf(loyaltyId, ['twenty'])),
    ],
  }),
);

async function answerFor(
  loyaltyId: string,
  ...words: Parameters<typeof basketOf>[0] & object
): Promise<BasketAnswerBody> {
  const answer = await stage.caller.basket(basketOf(words.length > 0 ? words : [{}], { loyaltyId }));
  expect(answer.status).toBe(200);
  return answer.json<BasketAnswerBody>();
}

describe('member_not_found', () => {
  test.each(['nobody', 'Member-Twenty', 'member-twenty ', 'member-twent', '*', 'x'.repeat(64), '🍩'.repeat(64)])(
    '%s is unknown',
    async (loyaltyId) => {
      if (HOSTILE_IDS.includes(loyaltyId)) return;
      expect((await answerFor(loyaltyId)).status).toBe('member_not_found');
    },
  );
});

describe('applied', () => {
  test('20 % on every line that may be discounted, in the text and code of the programme', async () => {
    const request = basketOf([
      { unitPrice: 10_000 },
      { unitPrice: 1_999, quantity: 0.345 },
      { unitPrice: 5_000, noDiscount: true },
      { unitPrice: 5_000, noPercentageDiscount: true },
    ]);
    const answer = (await stage.caller.basket(request)).json<AppliedBody>();
    expect(answer).toMatchObject({ status: 'applied', memberLabel: 'Coffee Club' });
    expect(answer.lines.map((line) => [line.lineDiscountType, line.lineDiscountAmount, line.orderLinePrice])).toEqual([
      ['percent', 2_000, 8_000],
      ['percent', 138, 552],
      ['none', 0, 5_000],
      ['none', 0, 5_000],
    ]);
    expect(answer.lines[0]).toMatchObject({
      lineDiscountPercent: 20,
      lineDiscountText: 'Member price 20 %',
      showLineDiscountText: true,
      lineDiscountCode: 'loyalty',
    });
    expect(answer.totals).toEqual({
      originalTotal: 20_690,
      existingDiscountTotal: 0,
      orderDiscountTotal: 0,
      loyaltyDiscountTotal: 2_138,
      total: 18_552,
    });
  });

  test("a member's own label goes before the programme's", async () => {
    expect(await answerFor('member-labelled')).toMatchObject({ status: 'applied', memberLabel: 'Gold, since 2019' });
  });

  test.each(HOSTILE_IDS)('a loyalty ID is opaque: %j', async (loyaltyId) => {
    expect((await answerFor(loyaltyId)).status).toBe('applied');
  });

  test.each([1, 2, 3, 5, 20, 50, 200])('random baskets of %d lines cost the guest what they should', async (count) => {
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

  test('names in every script come back byte for byte', async () => {
    const names = [
      'Blåbær',
      'ﷺ',
      'Z̷̢a̶l̴g̸o',
      '\u202eesrever',
      '\u0000\u001f',
      '<b>&amp;"\\/',
      '👩‍👩‍👧‍👦',
      "'; DROP TABLE--",
      '\ufeffBOM',
      '',
    ];
    const request = basketOf(names.map((name) => ({ name, productGroupId: name, ean: name })));
    expect((await stage.caller.basket(request)).json().status).toBe('applied');
  });
});

describe('unchanged', () => {
  const cases: [reason: string, why: string, loyaltyId: string, words: Parameters<typeof basketOf>[0] & object][] = [
    ['no_applicable_benefits', 'no benefit is granted', 'member-plain', [{}]],
    ['all_lines_excluded', 'every line is noDiscount', 'member-twenty', [{ noDiscount: true }, { noDiscount: true }]],
    ['all_lines_excluded', 'every line is noPercentageDiscount', 'member-twenty', [{ noPercentageDiscount: true }]],
    ['all_lines_excluded', 'the staff gave more', 'member-twenty', [{ existingPercent: 30 }]],
    ['all_lines_excluded', 'the staff gave as much', 'member-twenty', [{ existing: 2_000 }]],
    ['all_lines_excluded', 'the line is free already', 'member-twenty', [{ shares: { 'staff-1': 10_000 } }]],
    ['member_inactive', 'the membership is paused', 'member-paused', [{}]],
    ['member_inactive', 'the membership has expired', 'member-expired', [{}]],
    ['member_inactive', 'the membership is blocked', 'member-blocked', [{}]],
    ['member_inactive', 'and nothing else is asked', 'member-paused', [{ noDiscount: true }]],
    ['basket_too_small', 'one unit below the minimum', 'member-minimum', [{ unitPrice: 9_999 }]],
    ['basket_too_small', 'the staff discount brings it below', 'member-minimum', [{ unitPrice: 10_000, existing: 1 }]],
  ];
  test.each(cases)('%s: %s', async (reason, _, loyaltyId, words) => {
    expect((await answerFor(loyaltyId, ...words)) as UnchangedBody).toMatchObject({ status: 'unchanged', reason });
  });

  test('at the minimum the benefit applies', async () => {
    expect((await answerFor('member-minimum', { unitPrice: 4_000 }, { unitPrice: 6_000 })).status).toBe('applied');
  });

  test('lines that cost nothing change nothing', async () => {
    expect((await answerFor('member-twenty', { unitPrice: 0 }, { unitPrice: 2 })).status).toBe('unchanged');
  });
});

test('the same input always gives the same bytes', async () => {
  const request = randomBasket(new Random(7), 20);
  const first = await stage.caller.basket(request);
  const other = basketOf().calculationId;
  const second = await stage.caller.basket({ ...request, calculationId: other });
  expect(second.isReplayed).toBe(false);
  expect(second.text.replace(other, request.calculationId)).toBe(first.text);
});
