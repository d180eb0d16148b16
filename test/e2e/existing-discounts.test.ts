/** What becomes of the discounts that the staff gave, under each policy of the programme (interface, section 2). */
import { describe, expect, test } from 'vitest';
import { basketOf, type LineWords } from '../support/baskets.ts';
import { configurationOf, memberOf, TWENTY } from '../support/configuration.ts';
import { useSharedService } from '../support/shared-service.ts';
import type { AppliedBody, ContextBody } from '../support/wire.ts';

const POLICIES = ['replace_if_larger', 'keep', 'stack'] as const;
type Policy = (typeof POLICIES)[number];

const contextOf = (policy: Policy): ContextBody => ({
  venueId: `venue-${policy}`,
  cashRegisterId: 'till-1',
  baxId: `bax-${policy}`,
  channel: 'pos',
});

const stage = useSharedService(
  configurationOf({
    venues: POLICIES.map((policy) => ({
      venueId: `venue-${policy}`,
      terminalSetups: [`bax-${policy}`],
      currencies: ['NOK'],
      timeZone: 'Europe/Oslo',
      programmeId: policy,
      products: [],
    })),
    programmes: POLICIES.map((policy) => ({
      programmeId: policy,
      discountCode: 'loyalty',
      existingLineDiscounts: policy,
      existingOrderDiscounts: 'keep',
      benefits: [TWENTY],
    })),
    members: POLICIES.map((policy) => memberOf('member-twenty', ['twenty'], { programmeId: policy })),
  }),
);

/** One line of 100.00 with this on it already; the loyalty discount would be 20.00. */
interface Case {
  readonly on: LineWords;
  /** What the answer says: existing amount, type and amount of the loyalty discount, price; undefined: unchanged. */
  readonly becomes: readonly [existing: number, type: string, loyalty: number, price: number] | undefined;
}

const cases: Record<Policy, Case[]> = {
  replace_if_larger: [
    { on: {}, becomes: [0, 'percent', 2_000, 8_000] },
    { on: { existing: 1_000 }, becomes: [0, 'percent', 2_000, 8_000] },
    { on: { existingPercent: 19.99 }, becomes: [0, 'percent', 2_000, 8_000] },
    { on: { existing: 1_999 }, becomes: [0, 'percent', 2_000, 8_000] },
    { on: { existing: 2_000 }, becomes: undefined },
    { on: { existing: 2_001 }, becomes: undefined },
    { on: { existingPercent: 100 }, becomes: undefined },
    { on: { shares: { s: 8_000 } }, becomes: [0, 'percent', 2_000, 0] },
    { on: { shares: { s: 8_500 } }, becomes: [0, 'amount', 1_500, 0] },
    { on: { existing: 1_000, shares: { s: 8_500 } }, becomes: [0, 'amount', 1_500, 0] },
    { on: { existing: 1_000, shares: { s: 9_000 } }, becomes: undefined },
    { on: { existing: 1_000, shares: { s: 3_000 } }, becomes: [0, 'percent', 2_000, 5_000] },
    { on: { existing: 1_000, noDiscount: true }, becomes: undefined },
    { on: { existing: 1_000, noPercentageDiscount: true }, becomes: undefined },
  ],
  keep: [
    { on: {}, becomes: [0, 'percent', 2_000, 8_000] },
    { on: { existing: 1 }, becomes: undefined },
    { on: { existingPercent: 10 }, becomes: undefined },
    { on: { shares: { s: 1_000 } }, becomes: [0, 'percent', 2_000, 7_000] },
    { on: { shares: { s: 9_999 } }, becomes: [0, 'amount', 1, 0] },
  ],
  stack: [
    { on: {}, becomes: [0, 'percent', 2_000, 8_000] },
    { on: { existing: 1_000 }, becomes: [1_000, 'amount', 1_800, 7_200] },
    { on: { existingPercent: 50 }, becomes: [5_000, 'amount', 1_000, 4_000] },
    { on: { existing: 8_000 }, becomes: [8_000, 'amount', 400, 1_600] },
    { on: { existing: 8_001 }, becomes: [8_001, 'amount', 400, 1_599] },
    { on: { existing: 5_000, shares: { s: 4_000 } }, becomes: [5_000, 'amount', 1_000, 0] },
    { on: { existing: 10_000 }, becomes: undefined },
    { on: { existing: 100, noDiscount: true }, becomes: undefined },
  ],
};

describe.each(POLICIES)('%s', (policy) => {
  test.each(cases[policy].map((entry) => [JSON.stringify(entry.on), entry] as const))(
    '%s',
    async (_, { on, becomes }) => {
      const request = basketOf([on], { context: contextOf(policy) });
      const answer = await stage.caller.basket(request);
      if (becomes === undefined) {
        expect(answer.json()).toMatchObject({ status: 'unchanged', reason: 'all_lines_excluded' });
        return;
      }
      const [line] = answer.json<AppliedBody>().lines;
      const found = [
        line?.existingLineDiscountAmount,
        line?.lineDiscountType,
        line?.lineDiscountAmount,
        line?.orderLinePrice,
      ];
      expect(found).toEqual(becomes);
    },
  );

  test('lines beside each other are judged one by one, and staff order discounts are echoed', async () => {
    const request = basketOf(
      [
        { existing: 500, shares: { 'staff-1': 100 } },
        { existing: 5_000, existingLineDiscountCampaignId: 'summer', shares: { 'staff-1': 200, 'staff-2': 1 } },
        { noDiscount: true, existing: 300 },
        {},
      ],
      { context: contextOf(policy) },
    );
    const answer = (await stage.caller.basket(request)).json<AppliedBody>();
    const amounts = answer.lines.map((line) => [line.existingLineDiscountAmount, line.lineDiscountAmount]);
    const expected: Record<Policy, number[][]> = {
      replace_if_larger: [
        [0, 2_000],
        [5_000, 0],
        [300, 0],
        [0, 2_000],
      ],
      keep: [
        [500, 0],
        [5_000, 0],
        [300, 0],
        [0, 2_000],
      ],
      stack: [
        [500, 1_900],
        [5_000, 1_000],
        [300, 0],
        [0, 2_000],
      ],
    };
    expect(amounts).toEqual(expected[policy]);
    expect(answer.orderDiscounts).toEqual(request.orderDiscounts);
  });
});
