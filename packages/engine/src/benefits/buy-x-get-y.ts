import { percentOf, toHundredths } from '@loyalty/contract/money/round';
import { Type } from '@loyalty/contract/schema-type';
import { closed, optional, PercentValue, UNITS } from '../compile/fields.ts';
import type { BuyGetRule } from '../compile/rule.ts';
import type { BenefitConditions, UnitsDefinition } from '../compile/words.ts';
import { costAfterExisting } from '../lines/lines.ts';
import type { Kind } from './kind.ts';
import { percentageExtent } from './line-percent.ts';

interface BuyXGetYDefinition extends BenefitConditions {
  readonly kind: 'buy_x_get_y';
  /** `combinable`: other benefits may take something off the units that are bought. */
  readonly buy: UnitsDefinition & { readonly combinable?: boolean };
  /** `complete`: fewer than `quantity` units are not given at all. */
  readonly get: UnitsDefinition & { readonly percent?: number; readonly complete?: boolean };
  readonly pick?: BuyGetRule['pick'];
  /** Bought and given units share what is given. */
  readonly spread?: boolean;
}

/** `buy_x_get_y`: in sets of X units to buy and Y units to give, the given ones at a percentage off. The last set gives what is there. */
export const buyXGetY: Kind<BuyXGetYDefinition> = {
  level: 'buyGet',
  fields: {
    buy: Type.Object({ ...UNITS, combinable: optional(Type.Boolean(), { default: false }) }, closed),
    // `complete` needs several units to be given (benefit-relations.ts).
    get: Type.Object(
      {
        ...UNITS,
        percent: optional(PercentValue, { title: 'off the given units', default: 100 }),
        complete: optional(Type.Boolean(), { default: false }),
      },
      closed,
    ),
    pick: optional(Type.Enum(['per_set', 'cheapest']), { default: 'per_set' }),
    spread: optional(Type.Boolean(), { default: false }),
  },
  selections: ({ buy, get }) => [
    // Bought units keep their price, so a percentage comes off the given ones only.
    { selector: buy.appliesTo ?? {}, place: 'buy.appliesTo', isPercentage: false },
    { selector: get.appliesTo ?? {}, place: 'get.appliesTo', isPercentage: true },
  ],
  compile({ buy, get, pick = 'per_set', spread = false }) {
    const percentHundredths = toHundredths(get.percent ?? 100)!;
    return {
      level: 'buyGet',
      buyQuantity: buy.quantity,
      getQuantity: get.quantity,
      leastGiven: get.complete ? get.quantity : 1,
      pick,
      sharesBought: buy.combinable ?? false,
      spreads: spread,
      expression: { percentHundredths },
      effect: (line, units, cost = costAfterExisting(line, units)) => percentOf(cost, percentHundredths),
      extent: (line) => percentageExtent(line, percentHundredths),
      effectKey: `${pick}, percentage ${percentHundredths}`,
    };
  },
};
