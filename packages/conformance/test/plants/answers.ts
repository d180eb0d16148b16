/** Violations inside basket answers: fields, arithmetic, echo. Each is below the check that has to find it. */
import { type Json, onAnswer, onApplied, type Plant, type Planted } from '../planting-proxy.ts';

interface Line extends Json {
  lineId: string;
  noDiscount: boolean;
  originalLinePrice: number;
  existingLineDiscountAmount: number;
  lineDiscountAmount: number;
  orderLinePrice: number;
}

interface Applied extends Json {
  lines: Line[];
  totals: Record<string, number>;
  orderDiscounts: (Json & { amount: number })[];
}

function onFirstLine(change: (line: Line) => void): Plant {
  return onApplied<Applied>((answer) => {
    change(answer.lines[0]!);
    return answer;
  });
}

const TOTALS = {
  originalTotal: 'originalLinePrice',
  existingDiscountTotal: 'existingLineDiscountAmount',
  loyaltyDiscountTotal: 'lineDiscountAmount',
  total: 'orderLinePrice',
} as const;

/** Changes each line in such a way that everything adds up again. */
function onLines(change: (line: Line) => Line | undefined): Plant {
  return onApplied<Applied>((answer) => {
    const lines = answer.lines.flatMap((line) => change(line) ?? []);
    const sum = (all: readonly Line[], field: (typeof TOTALS)[keyof typeof TOTALS]) =>
      all.reduce((total, line) => total + line[field], 0);
    const moved = Object.entries(TOTALS).map(([name, field]) => [
      name,
      Number(answer.totals[name]) + sum(lines, field) - sum(answer.lines, field),
    ]);
    return { ...answer, lines, totals: { ...answer.totals, ...Object.fromEntries(moved) } };
  });
}

/** The line with another discount of loyalty's. */
function withDiscount(line: Line, lineDiscountAmount: number, more: Json = {}): Line {
  const orderLinePrice = line.orderLinePrice + line.lineDiscountAmount - lineDiscountAmount;
  return { ...line, ...more, lineDiscountAmount, orderLinePrice };
}

/** Rounds every percentage otherwise. */
export function rounded(round: (units: number) => number): Plant {
  return onLines((line) => {
    const { lineDiscountType, lineDiscountPercent, originalLinePrice } = line;
    if (lineDiscountType !== 'percent') return line;
    return withDiscount(line, round((originalLinePrice * Number(lineDiscountPercent)) / 100));
  });
}

export const ANSWER_PLANTS: Planted = {
  'answers.twenty-percent': {
    'a discount of 20 % is one unit short, and everything adds up': onLines((line) => {
      if (line.lineId !== 'line-1' || line.lineDiscountAmount < 2) return line;
      return withDiscount(line, line.lineDiscountAmount - 1, {
        lineDiscountType: 'amount',
        lineDiscountPercent: undefined,
      });
    }),
  },
  'answers.one-discount-code': {
    'the discount code differs from basket to basket': onApplied<Applied>((answer) => {
      for (const line of answer.lines) {
        if (line.lineDiscountAmount > 0) Object.assign(line, { lineDiscountCode: `loyalty-${answer.lines.length}` });
      }
      return answer;
    }),
  },
  'statuses.unchanged': {
    'a member without benefits is answered member_not_found': onAnswer(200, ({ calculationId, status }) =>
      status === 'unchanged' ? { calculationId, status: 'member_not_found' } : undefined,
    ),
  },
  'statuses.member-not-found': {
    'an unknown loyalty ID is answered unchanged': onAnswer(200, ({ calculationId, status }) =>
      status === 'member_not_found'
        ? { calculationId, status: 'unchanged', reason: 'no_applicable_benefits' }
        : undefined,
    ),
  },
  'answers.fields': {
    'money as text': onFirstLine((line) => Object.assign(line, { unitPrice: String(line['unitPrice']) })),
  },
  'statuses.applied': {
    'a percentage is rounded down, sums adjusted': rounded(Math.floor),
  },
  'statuses.one-discount-code': {
    'two discount codes': onFirstLine((line) => Object.assign(line, { lineDiscountCode: 'loyalty-2' })),
  },
  'statuses.protected-lines': {
    'a protected line is removed, sums adjusted': onLines((line) => (line.noDiscount ? undefined : line)),
    'a discount of the staff on a protected line is cleared, sums adjusted': onLines((line) => {
      if (!line.noDiscount) return line;
      const orderLinePrice = line.orderLinePrice + line.existingLineDiscountAmount;
      return { ...line, existingLineDiscountType: 'none', existingLineDiscountAmount: 0, orderLinePrice };
    }),
  },
  'numbers.integers-on-the-wire': {
    'money with a decimal point': async (passing, { forward }) => {
      const answer = await forward(passing);
      const text = answer.bytes.toString('utf8').replace(/("unitPrice":\d+)/g, '$1.0');
      return { ...answer, bytes: Buffer.from(text) };
    },
  },
};
