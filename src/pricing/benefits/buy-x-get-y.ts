import { percentOf, toHundredths } from '../../money/round.ts';
import type { BenefitConditions, UnitsDefinition } from '../benefit-definition.ts';
import type { Kind } from './kind.ts';

interface BuyXGetYDefinition extends BenefitConditions {
  readonly kind: 'buy_x_get_y';
  readonly buy: UnitsDefinition;
  readonly get: UnitsDefinition & { readonly percent?: number };
}

/** `buy_x_get_y`: for every X units bought, the cheapest Y qualifying units at a percentage off. */
export const buyXGetY: Kind<BuyXGetYDefinition> = {
  selections: ({ buy, get }) => [
    // Bought units keep their price, so a percentage comes off the given ones only.
    { selector: buy.appliesTo ?? {}, place: 'buy.appliesTo', isPercentage: false },
    { selector: get.appliesTo ?? {}, place: 'get.appliesTo', isPercentage: true },
  ],
  compile({ buy, get }) {
    const percentHundredths = toHundredths(get.percent ?? 100)!;
    return {
      level: 'buyGet',
      buyQuantity: buy.quantity,
      getQuantity: get.quantity,
      canBeCut: true,
      expression: { percentHundredths },
      effect: ({ unitPrice }, units) => percentOf(units * unitPrice, percentHundredths),
      effectKey: `percentage ${percentHundredths}`,
      most: (price) => percentOf(price, percentHundredths),
    };
  },
};
