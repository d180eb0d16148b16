import { appliedOf, discountCodesOf } from './applied.ts';
import type { StandingRule } from './standing.ts';

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
