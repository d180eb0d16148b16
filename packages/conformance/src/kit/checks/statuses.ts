import type { BasketLine } from '@loyalty/contract/basket-request';
import type { BasketLineOut } from '@loyalty/contract/basket-response';
import { MAX_LOYALTY_ID_CHARACTERS } from '@loyalty/contract/limits';
import type { LineWords } from '../baskets.ts';
import { fieldOf } from '../exchange.ts';
import { discountCodesOf } from '../judge/applied.ts';
import { shareOf } from '../judge/decimal.ts';
import type { Checks, Session } from '../session.ts';

/** The three statuses, and the test member whose discount is known beforehand (interface, sections 1 and 2). */

const TEST_MEMBER_PERCENT = 20;

/** Lines the test member gets 20 % on: whole, weighed, dear, cheap, with an option, with every optional field. */
const DISCOUNTABLE: readonly LineWords[] = [
  { quantity: 2, unitPrice: 3900 },
  { quantity: 0.345, unitPrice: 1999 },
  { quantity: 1, unitPrice: 3 },
  { quantity: 1, unitPrice: 4501, parentLineId: 'line-1', name: 'Oat milk' },
  {
    quantity: 12,
    unitPrice: 999_999,
    productMasterId: 'master-5',
    productGroupId: 'group-5',
    ean: '7038010000010',
    name: 'Crème brûlée, 抹茶 🎁',
  },
];

/** Order discounts in an order that no sorting by ID or amount produces. */
const ORDERED_SHARES = { z: 200, a: 300, m: 100 };

export const statusChecks: Checks = {
  'statuses.applied': {
    section: '1, 2',
    title: 'The 20 % test member gets 20 %, rounded half up, on every discountable line',
    run: async (session) => {
      const answer = await session.applied(session.baskets.of(DISCOUNTABLE), 'a basket of discountable lines');
      if (answer) expectTwentyPercent(session, answer.lines);
      session.expect(answer?.lines.length === DISCOUNTABLE.length, 'not every line came back');
    },
  },
  'statuses.protected-lines': {
    section: '2',
    title: 'A noDiscount line stays as it was beside discounted ones',
    run: async (session) => {
      const words: LineWords[] = [
        { unitPrice: 5000 },
        { unitPrice: 7000, noDiscount: true },
        { unitPrice: 300 },
        { unitPrice: 9000, noDiscount: true, existing: 1000 },
      ];
      const basket = session.baskets.of(words);
      const answer = await session.applied(basket, 'a basket with a protected line');
      if (!answer) return;
      const isOpen = ({ noDiscount }: BasketLine) => !noDiscount;
      expectTwentyPercent(session, answer.lines.filter(isOpen));
      for (const { lineId, orderLinePrice, existingLineDiscountAmount } of basket.lines.filter(
        (line) => !isOpen(line),
      )) {
        const line = answer.lines.find((one) => one.lineId === lineId);
        const found = `${line?.orderLinePrice} with ${line?.existingLineDiscountAmount} of the staff`;
        const expected = `${orderLinePrice} with ${existingLineDiscountAmount} of the staff`;
        session.expect(found === expected, `the protected ${lineId} costs ${found}, instead of ${expected}`);
        session.expect(line?.lineDiscountType === 'none', `the protected ${lineId} has a loyalty discount`);
      }
    },
  },
  'statuses.staff-discounts': {
    section: '2, 4.6',
    title: 'A basket with staff discounts on lines and on the order is answered in keeping with every identity',
    run: async (session) => {
      const words: LineWords[] = [
        { unitPrice: 10_000, existing: 500, shares: { staff: 333 } },
        { unitPrice: 20_001, shares: { staff: 667 } },
        { unitPrice: 3_000, existing: 2_900 },
        { unitPrice: 4_000, noPercentageDiscount: true },
      ];
      await session.applied(session.baskets.of(words), 'a basket with staff discounts');
      // The service's 20 % save less than the staff's discount, which therefore stays.
      const few: LineWords[] = [{ unitPrice: 3_000, existing: 2_900 }, { unitPrice: 300 }];
      await session.applied(session.baskets.of(few), 'a basket whose staff discount is larger');
    },
  },
  'statuses.order': {
    section: '2',
    title: 'Lines and order discounts come back in the order of the request, whatever their IDs and prices',
    run: async (session) => {
      const lineIds = ['m', 'z', 'a', '10', '9', 'B'];
      const words = lineIds.map((lineId, index): LineWords => {
        if (index === 1) return { lineId, unitPrice: 50_000, shares: ORDERED_SHARES };
        return { lineId, unitPrice: 1_000 * (1 + ((index * 5) % 7)) };
      });
      const basket = session.baskets.of(words);
      const answer = await session.applied(basket, 'a basket whose IDs are not in the order of the alphabet');
      if (!answer) return;
      const lines = [...new Set(answer.lines.map(({ lineId, splitFromLineId = lineId }) => splitFromLineId))];
      const known = lines.filter((lineId) => lineIds.includes(lineId));
      session.expect(known.join() === lineIds.join(), `the lines ${lineIds} came back as ${known}`);
      const sent = Object.keys(ORDERED_SHARES);
      const found = answer.orderDiscounts.map((discount) => discount.orderDiscountId).filter((id) => sent.includes(id));
      // A service may remove a staff order discount; those that it keeps stay in their order.
      const kept = sent.filter((id) => found.includes(id));
      session.expect(found.join() === kept.join(), `the order discounts ${kept} came back as ${found}`);
    },
  },
  'statuses.channels': {
    section: '2',
    title: 'Both channels are served, and the optional fields of the context are taken',
    run: async (session) => {
      for (const channel of ['pos', 'mpos'] as const) {
        const basket = session.baskets.of();
        const context = { ...basket.context, channel, terminalId: 'terminal-9', clerkNumber: 17 };
        await session.applied({ ...basket, context }, `channel ${channel}`);
      }
    },
  },
  'statuses.all-lines-excluded': {
    section: '2',
    title: 'A basket of protected lines only is unchanged, with reason all_lines_excluded',
    run: async (session) => {
      const basket = session.baskets.of([{ noDiscount: true }, { noDiscount: true }]);
      const exchange = await session.answered(basket, 'unchanged', 'protected lines only');
      const reason = fieldOf(exchange, 'reason');
      session.expect(reason === 'all_lines_excluded', `the reason is ${JSON.stringify(reason)}`);
    },
  },
  'statuses.unchanged': {
    section: '1, 2',
    title: 'The test member without benefits is answered unchanged, with a reason',
    run: async (session) => {
      const loyaltyId = session.options.members.none;
      await session.answered(session.baskets.of([{}, {}], { loyaltyId }), 'unchanged', 'a member without benefits');
    },
  },
  'statuses.member-not-found': {
    section: '1, 2',
    title: 'An unknown loyalty ID is answered member_not_found and nothing else',
    run: async (session) => {
      const loyaltyId = session.options.members.unknown;
      const basket = session.baskets.of([{}], { loyaltyId });
      await session.answered(basket, 'member_not_found', 'a loyalty ID that nobody has');
    },
  },
  'statuses.strange-loyalty-ids': {
    section: '2',
    title:
      'A loyalty ID is opaque: braces, quotes, 64 emoji, and the test member in capitals or with blanks, are unknown',
    run: async (session) => {
      const { twenty } = session.options.members;
      const spelled = [twenty.toUpperCase(), twenty.toLowerCase(), ` ${twenty}`, `${twenty} `, `${twenty}\u200b`];
      const others = spelled.filter((text) => text !== twenty && text.length <= MAX_LOYALTY_ID_CHARACTERS);
      for (const loyaltyId of ['nobody:{x}\n* "\\ %00', "'; DROP TABLE members", '🎁'.repeat(64), ...others]) {
        const exchange = await session.basket(session.baskets.of([{}], { loyaltyId }));
        if (fieldOf(exchange, 'status') === 'applied' && (await session.isDouble())) {
          session.notShown = 'not shown: this is the service double, to which any loyalty ID is a member';
          return;
        }
        session.expectAnswer(exchange, `a loyalty ID of ${loyaltyId.length} units`, 'member_not_found');
      }
    },
  },
  'statuses.pure-calculation': {
    section: '1',
    title: 'The same basket under two calculation IDs comes to the same lines and totals',
    run: async (session) => {
      const first = await session.applied(session.baskets.of(DISCOUNTABLE), 'the first calculation');
      const second = await session.applied(session.baskets.of(DISCOUNTABLE), 'the second calculation');
      const [left, right] = [first, second].map((answer) => JSON.stringify([answer?.lines, answer?.totals]));
      session.expect(left === right, 'the two answers differ');
    },
  },
  'statuses.one-discount-code': {
    section: '2',
    title: 'One predefined discount code is used for everything',
    run: async (session) => {
      const baskets = [session.baskets.of(DISCOUNTABLE), session.baskets.ofSize(12)];
      const codes = new Set<string>();
      for (const basket of baskets) {
        const answer = await session.applied(basket, 'a discounted basket');
        for (const code of answer ? discountCodesOf(basket, answer) : []) codes.add(code);
      }
      session.expect(codes.size === 1, `found the codes ${[...codes].join(', ') || 'none'}`);
    },
  },
};

/** `round_half_up(originalLinePrice × 20 / 100)` as a percentage discount on each of these lines. */
function expectTwentyPercent(session: Session, lines: readonly BasketLineOut[]): void {
  for (const line of lines) {
    const expected = shareOf(line.originalLinePrice, TEST_MEMBER_PERCENT);
    const isRight =
      line.lineDiscountType === 'percent' &&
      line.lineDiscountPercent === TEST_MEMBER_PERCENT &&
      BigInt(line.lineDiscountAmount) === expected;
    const found = `${line.lineDiscountType} ${line.lineDiscountPercent ?? ''} ${line.lineDiscountAmount}`;
    session.expect(isRight, `${line.lineId}: expected 20 % of ${line.originalLinePrice} = ${expected}, found ${found}`);
  }
}
