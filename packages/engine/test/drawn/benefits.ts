import type { Random } from '../../../simulator/src/random.ts';
import { type BenefitKind, KINDS } from '../../src/benefits/register.ts';
import { amountsOf } from '../../src/compile/amounts.ts';
import type { BenefitDefinition } from '../../src/definition.ts';
import { drawFields } from '../support/fields.ts';

/**
 * Random benefits of all kinds with all their options. A programme is drawn in a style, because what is dear is seldom a
 * mixture: a hundred bundles that compete for the same lines cost more than one of everything.
 */

type Kind = BenefitKind;

/** How the benefits of one programme are drawn; every chance from 0 to 1. */
export interface Style {
  readonly kinds: readonly Kind[];
  /** Selectors are drawn from so many product groups; a few are broad and many are narrow. */
  readonly groups: number;
  readonly everything: number;
  readonly modifiers: number;
  readonly items: number;
  readonly baskets: number;
  readonly capped: number;
  readonly perBasket: number;
  readonly grouped: number;
  readonly minimumSaving: number;
  readonly mostGroups: number;
  readonly perSpend: number;
  readonly net: number;
  readonly spread: number;
  readonly inBasketFirst: number;
  readonly exclusive: number;
  readonly minimum: number;
  readonly granted: number;
  readonly currencies: number;
  readonly equal: boolean;
  readonly mostQuantity: number;
  readonly mostBundleItems: number;
}

const NAMES = Object.keys(KINDS) as Kind[];
const isGift = (kind: Kind) => KINDS[kind].level === 'gift';
const COMPETING = NAMES.filter((kind) => !isGift(kind));
/** Groups of which at most so many benefits apply. */
export const GROUPS: readonly string[] = Array.from({ length: 100 }, (_, n) => `group-${n}`);
const MOST_GROUPS = 60;
const QUANTITIES = [1, 2, 3, 5, 10, 50, 1000];

export function pick<T>(random: Random, values: readonly T[]): T {
  return values[random.below(values.length)] as T;
}

/** Mostly never or always, sometimes between: options that come rarely meet nothing. */
function drawChance(random: Random): number {
  return pick(random, [0, 0, 0, 0.1, 0.5, 1]);
}

export function drawStyle(random: Random): Style {
  const kinds = random.chance(0.25)
    ? [...COMPETING, ...NAMES.filter(isGift)]
    : Array.from({ length: random.between(1, 3) }, () => pick(random, COMPETING));
  return {
    kinds,
    groups: pick(random, [1, 2, 3, 8, 25, MOST_GROUPS]),
    everything: pick(random, [0, 0.2, 0.7, 1]),
    modifiers: drawChance(random),
    items: pick(random, [0, 0.3, 0.7, 1]),
    baskets: drawChance(random),
    capped: drawChance(random),
    perBasket: drawChance(random),
    grouped: drawChance(random),
    minimumSaving: drawChance(random),
    mostGroups: pick(random, [1, 3, GROUPS.length]),
    perSpend: drawChance(random),
    net: drawChance(random),
    spread: drawChance(random),
    inBasketFirst: drawChance(random),
    exclusive: pick(random, [0, 0, 0, 0, 0.1, 1]),
    minimum: drawChance(random) / 2,
    granted: drawChance(random),
    currencies: drawChance(random) / 2,
    equal: random.chance(0.25),
    mostQuantity: pick(random, QUANTITIES),
    mostBundleItems: pick(random, [1, 2, 3, 10]),
  };
}

export function drawBenefit(random: Random, style: Style, benefitId: string): BenefitDefinition {
  const kind = pick(random, style.kinds);
  const isOrder = KINDS[kind].level === 'order';
  const period = random.chance(0.2) ? ('basket' as const) : ('week' as const);
  const quantity = pick(random, [1, 2, 5, 10, 10, 100, 1_000_000]);
  const limit = random.chance(style.items)
    ? { limit: { quantity, period, counts: isOrder ? ('baskets' as const) : ('items' as const) } }
    : random.chance(style.baskets)
      ? { limit: { quantity, period, counts: 'baskets' as const } }
      : {};
  const words = {
    benefitId,
    kind,
    ...own(random, style, kind),
    ...limit,
    ...(random.chance(0.5) && { text: `Benefit ${benefitId}` }),
    ...(!isGift(kind) && random.chance(style.capped) && { maximumDiscount: drawAmount(random) * 10 }),
    ...(random.chance(style.minimumSaving) && { minimumSaving: drawAmount(random) * 10 }),
    ...(random.chance(style.grouped) && { group: pick(random, GROUPS.slice(0, style.mostGroups)) }),
    ...(random.chance(style.exclusive) && { exclusive: true }),
    ...(random.chance(style.minimum) && { minimumSpend: drawAmount(random) }),
    ...(random.chance(style.minimum) && { minimumSpendOn: 'basket' as const }),
    ...(isOrder && random.chance(style.net) && { minimumSpend: drawAmount(random) * 10, minimumSpendBasis: 'net' }),
    ...(!isOrder && random.chance(style.perBasket) && { maximumUnits: pick(random, [1, 2, 5, 100]) }),
    ...(random.chance(style.minimum) && { minimumQuantity: random.between(1, 10) }),
    ...(random.chance(style.granted) && { audience: 'granted' as const }),
    ...(random.chance(0.3) && { priority: random.between(-3, 3) }),
  } as unknown as BenefitDefinition;
  return random.chance(style.currencies) ? nameCurrency(words) : words;
}

/** Its amounts by currency; the basket is in NOK. */
function nameCurrency(benefit: BenefitDefinition): BenefitDefinition {
  const amounts = amountsOf(benefit).map(([field, amount]) => [field, { NOK: amount, SEK: amount }]);
  return { ...benefit, ...Object.fromEntries(amounts) } as BenefitDefinition;
}

function own(random: Random, style: Style, kind: Kind): Record<string, unknown> {
  const percent = style.equal ? 20 : random.between(1, 10_000) / 100;
  const amount = style.equal ? 500 : drawAmount(random);
  switch (kind) {
    case 'order_percent':
      // Small ones, so that many of them find something left to take.
      return {
        percent: random.chance(0.7) ? random.between(1, 100) / 100 : percent,
        ...drawSelector(random, style),
      };
    case 'order_amount':
      return {
        amount,
        ...(random.chance(style.perSpend) && { perSpend: drawAmount(random) * 10 }),
        ...drawSelector(random, style),
      };
    case 'free_product':
      return {
        productId: 'product-0',
        quantity: drawQuantity(random, style),
        inBasketFirst: random.chance(style.inBasketFirst),
        ...drawSelector(random, style),
      };
    case 'buy_x_get_y': {
      const spread = random.chance(style.spread);
      return {
        spread,
        buy: { ...drawUnits(random, style), ...(!spread && random.chance(0.2) && { combinable: true }) },
        ...(random.chance(0.2) && { pick: 'cheapest' }),
        get: { ...drawUnits(random, style), ...(random.chance(0.5) && { percent }) },
      };
    }
    case 'bundle_price':
      return {
        items: Array.from({ length: random.between(1, style.mostBundleItems) }, () => drawUnits(random, style)),
        ...pick(random, [{ bundlePrice: amount }, { bundlePrice: amount }, { percent }, { amount }]),
      };
    default:
      return drawFields<unknown>(kind, {
        percent: () => percent,
        amount: () => amount,
        selector: () => drawSelector(random, style).appliesTo,
        units: () => drawUnits(random, style),
        count: () => drawQuantity(random, style),
        choice: (values) => pick(random, values),
      });
  }
}

function drawUnits(random: Random, style: Style): Record<string, unknown> {
  return { quantity: drawQuantity(random, style), ...drawSelector(random, style) };
}

function drawQuantity(random: Random, style: Style): number {
  return random.between(1, random.chance(0.6) ? Math.min(3, style.mostQuantity) : style.mostQuantity);
}

function drawAmount(random: Random): number {
  return random.between(1, pick(random, [10, 300, 3000, 30_000]));
}

function drawSelector(random: Random, style: Style): { readonly appliesTo?: object } {
  if (random.chance(style.everything) && !random.chance(style.modifiers)) return {};
  const groups = Array.from(
    { length: random.between(1, pick(random, [1, 2, style.groups])) },
    () => `group-${random.below(style.groups)}`,
  );
  const products = Array.from({ length: random.between(1, 8) }, () => `product-${random.below(200)}`);
  const appliesTo = pick(random, [
    { productGroupIds: [...new Set(groups)] },
    { productGroupIds: [...new Set(groups)] },
    { productIds: [...new Set(products)] },
    { productGroupIds: [...new Set(groups)], excludeProductIds: products },
    { excludeProductIds: products },
    { excludeProductGroupIds: groups, excludeProductMasterIds: ['master-0'] },
    { productMasterIds: [`master-${random.below(7)}`], productGroupIds: [...new Set(groups)] },
  ]);
  return { appliesTo: appliesTo };
}
