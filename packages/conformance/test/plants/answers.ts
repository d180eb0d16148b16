/** Violations inside basket answers: fields, arithmetic, echo. Each names the check that has to find it. */
import { type Json, onAnswer, onApplied, type Plant } from '../planting-proxy.ts';

export type Planted = readonly [what: string, foundBy: string, plant: Plant];

type Line = Json & { orderLinePrice: number; lineDiscountAmount: number; noDiscount: boolean; lineId: string };

interface Applied extends Json {
  lines: Line[];
  totals: Record<string, number>;
  orderDiscounts: (Json & { amount: number })[];
}

function onFirstLine(change: (line: Line, answer: Applied) => void): Plant {
  return onApplied<Applied>((answer) => {
    change(answer.lines[0] as Line, answer);
    return answer;
  });
}

/** Clears the existing discounts of some lines; the sums follow. */
function clearingStaff(isCleared: (line: Line) => boolean): Plant {
  return onApplied<Applied>((answer) => {
    for (const line of answer.lines.filter(isCleared)) {
      const existing = Number(line['existingLineDiscountAmount']);
      line.orderLinePrice += existing;
      Object.assign(line, { existingLineDiscountType: 'none', existingLineDiscountAmount: 0 });
      answer.totals['total'] = (answer.totals['total'] ?? 0) + existing;
      answer.totals['existingDiscountTotal'] = (answer.totals['existingDiscountTotal'] ?? 0) - existing;
    }
    return answer;
  });
}

export const ANSWER_PLANTS: readonly Planted[] = [
  [
    'a discount of 20 % is one unit short, and everything adds up',
    'answers.twenty-percent',
    onFirstLine((line, { totals }) => {
      if (line.lineDiscountAmount < 2) return;
      line.lineDiscountAmount -= 1;
      line.orderLinePrice += 1;
      Object.assign(line, { lineDiscountType: 'amount', lineDiscountPercent: undefined });
      Object.assign(totals, {
        loyaltyDiscountTotal: (totals['loyaltyDiscountTotal'] ?? 0) - 1,
        total: (totals['total'] ?? 0) + 1,
      });
    }),
  ],
  [
    'the discount code differs from basket to basket',
    'answers.one-discount-code',
    onApplied<Applied>((answer) => {
      for (const line of answer.lines) {
        if (line.lineDiscountAmount > 0) Object.assign(line, { lineDiscountCode: `loyalty-${answer.lines.length}` });
      }
      return answer;
    }),
  ],
  [
    'a member without benefits is answered member_not_found',
    'statuses.unchanged',
    onAnswer(200, ({ calculationId, status }) =>
      status === 'unchanged' ? { calculationId, status: 'member_not_found' } : undefined,
    ),
  ],
  [
    'an unknown loyalty ID is answered unchanged',
    'statuses.member-not-found',
    onAnswer(200, ({ calculationId, status }) =>
      status === 'member_not_found'
        ? { calculationId, status: 'unchanged', reason: 'no_applicable_benefits' }
        : undefined,
    ),
  ],
  [
    'money as text',
    'answers.fields',
    onFirstLine((line) => Object.assign(line, { unitPrice: String(line['unitPrice']) })),
  ],
  [
    'a percentage is rounded down, sums adjusted',
    'statuses.applied',
    onApplied<Applied>((answer) => {
      for (const line of answer.lines) {
        const rounded = Math.floor((Number(line['originalLinePrice']) * 20) / 100);
        const less = line.lineDiscountAmount - (line.lineDiscountAmount > 0 ? rounded : 0);
        line.lineDiscountAmount -= less;
        line.orderLinePrice += less;
        answer.totals['total'] = (answer.totals['total'] ?? 0) + less;
        answer.totals['loyaltyDiscountTotal'] = (answer.totals['loyaltyDiscountTotal'] ?? 0) - less;
      }
      return answer;
    }),
  ],
  [
    'two discount codes',
    'statuses.one-discount-code',
    onFirstLine((line) => Object.assign(line, { lineDiscountCode: 'loyalty-2' })),
  ],
  [
    'a protected line is removed, sums adjusted',
    'statuses.protected-lines',
    onApplied<Applied>((answer) => {
      const removed = answer.lines.filter(({ noDiscount }) => noDiscount);
      for (const line of removed) {
        answer.totals['total'] = (answer.totals['total'] ?? 0) - line.orderLinePrice;
        answer.totals['originalTotal'] = (answer.totals['originalTotal'] ?? 0) - line.orderLinePrice;
      }
      return { ...answer, lines: answer.lines.filter(({ noDiscount }) => !noDiscount) };
    }),
  ],
  [
    'a discount of the staff on a protected line is cleared, sums adjusted',
    'statuses.protected-lines',
    clearingStaff(({ noDiscount }) => noDiscount),
  ],
  [
    'money with a decimal point',
    'numbers.integers-on-the-wire',
    async (passing, { forward }) => {
      const answer = await forward(passing);
      const text = answer.bytes.toString('utf8').replace(/("unitPrice":\d+)/g, '$1.0');
      return { ...answer, bytes: Buffer.from(text) };
    },
  ],
];
