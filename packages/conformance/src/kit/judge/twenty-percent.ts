import { appliedOf, at } from './applied.ts';
import { shareOf, total } from './decimal.ts';
import type { StandingRule } from './standing.ts';

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
