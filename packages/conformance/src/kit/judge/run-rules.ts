import { appliedOf, at, discountCodesOf } from './applied.ts';
import { shareOf, total } from './decimal.ts';
import type { StandingRule } from './standing.ts';

/** The rules that a run adds to those of every answer: they know its earlier answers, or its test member. */

/** The whole integration has one discount code (interface, section 2): the first one of the run is due in every answer. */
export function oneDiscountCode(): StandingRule {
  let due: string | undefined;
  return {
    name: 'answers.one-discount-code',
    section: '2',
    title: 'Every discount of the run carries the same code',
    faultsOf: (exchange) => {
      const applied = appliedOf(exchange);
      if (!applied) return undefined;
      const codes = discountCodesOf(applied.request, applied.answer);
      due ??= codes[0];
      const others = [...new Set(codes)].filter((code) => code !== due);
      return others.map((code) => `the discount code is ${code.slice(0, 60)}, and was ${due} before`);
    },
  };
}

/** The percentage of the test member (interface, section 1). */
const PERCENT = 20;

/**
 * The test member gets 20 % on every discountable line, to the unit. The interface leaves open what becomes of a line with
 * a staff discount or a share of an order discount, so only lines without either are compared; and a service that
 * splits a line must give each part its 20 %.
 */
export function promisedTwentyPercent(loyaltyId: string): StandingRule {
  return {
    name: 'answers.twenty-percent',
    section: '1',
    title: 'The test member gets 20 % on every plain line of every basket, and none is missing',
    faultsOf: (exchange) => {
      const applied = appliedOf(exchange);
      if (!applied || applied.request.loyaltyId !== loyaltyId) return undefined;
      return applied.request.lines.flatMap((line) => {
        const isProtected = line.noDiscount || line.noPercentageDiscount;
        const hasOthers = line.existingLineDiscountAmount > 0 || line.orderDiscountAllocation.length > 0;
        if (isProtected || hasOthers) return [];
        const parts = applied.parts.get(line.lineId) ?? [];
        if (parts.length === 0) return [`${at(line)}: is missing`];
        const other = parts.find(({ lineDiscountPercent = PERCENT }) => lineDiscountPercent !== PERCENT);
        if (other) return [`${at(line)}: has ${other.lineDiscountPercent} %, where ${PERCENT} % are due`];
        const due = Number(total(parts.map((part) => Number(shareOf(part.originalLinePrice, PERCENT)))));
        const given = Number(total(parts.map((part) => part.lineDiscountAmount)));
        return given === due ? [] : [`${at(line)}: has a discount of ${given}, where ${PERCENT} % are ${due}`];
      });
    },
  };
}
