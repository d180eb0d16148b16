/**
 * Random baskets of 6 to 30 lines with programmes as a shop has them at the height of a season, in words that `shapes.ts` does not
 * draw: sets of different goods or of some within others, the cheapest ones given, limits in money or shared by several benefits, groups,
 * vouchers for parts of the order, what has to be bought before, and what the staff have taken off already.
 */

import type { BasketLine, BasketRequest } from '@loyalty/contract/basket-request';
import { Random } from '../../../simulator/src/random.ts';
import type { BenefitDefinition, ProgrammeDefinition } from '../../src/definition.ts';
import { buildBasket, buildLine } from './basket.ts';

export interface Season {
  readonly basket: BasketRequest;
  readonly benefits: readonly BenefitDefinition[];
  readonly policies: Pick<ProgrammeDefinition, 'groups' | 'existingLineDiscounts' | 'modifiers'>;
}

const GOODS = ['g0', 'g1', 'g2', 'g3', 'g4'];
const PRODUCTS = 30;
const GROUPS = { one: { atMost: 1 }, two: { atMost: 2 } };
const GROUP_NAMES = ['one', 'two'] as const;

export function drawSeason(seed: number): Season {
  const random = new Random(seed);
  const lines = Array.from({ length: random.between(6, 30) }, (_, at) => drawLine(random, at));
  const benefits = Array.from({ length: random.between(4, 9) }, (_, at) => ({
    benefitId: `b${at}`,
    ...random.pick(DRAWS)(random),
    ...(random.chance(0.15) && { group: random.pick(GROUP_NAMES) }),
    ...(random.chance(0.1) && { minimumSpend: 1_000 * random.between(5, 60) }),
    ...(random.chance(0.2) && { priority: random.between(1, 3) }),
  }));
  return {
    basket: buildBasket(lines),
    benefits: benefits as unknown as BenefitDefinition[],
    policies: { groups: GROUPS, existingLineDiscounts: random.pick(['replace_if_larger', 'keep', 'stack'] as const) },
  };
}

/** The same, with lines below others that are discounted with them, and more that the staff have made cheaper. */
export function drawMeals(seed: number): Season {
  const random = new Random(seed);
  const { basket, benefits, policies } = drawSeason(seed);
  const lines = basket.lines.map((line, at) =>
    changed(line, {
      ...(at > 0 && random.chance(0.5) && { parentLineId: basket.lines[random.below(at)]!.lineId }),
      ...(random.chance(0.3) && { existingLineDiscountAmount: Math.floor(line.unitPrice / random.between(4, 20)) }),
    }),
  );
  return { basket: buildBasket(lines), benefits, policies: { ...policies, modifiers: 'together' } };
}

/** The line of a season with other fields, and the sums that belong to them. */
function changed(line: BasketLine, changes: Partial<BasketLine>): BasketLine {
  const { lineId, productId, productGroupId, unitPrice, quantity, existingLineDiscountAmount } = line;
  return buildLine({
    lineId,
    productId,
    unitPrice,
    quantity,
    existingLineDiscountAmount,
    productGroupId: productGroupId!,
    ...changes,
  });
}

function drawLine(random: Random, at: number): BasketLine {
  const product = random.below(PRODUCTS);
  const unitPrice = 490 + 100 * random.below(90);
  return buildLine({
    lineId: `l${at}`,
    productId: `p${product}`,
    productGroupId: GOODS[product % GOODS.length]!,
    unitPrice,
    quantity: random.chance(0.7) ? 1 : random.between(2, 4),
    ...(random.chance(0.1) && { existingLineDiscountAmount: Math.floor(unitPrice / random.between(4, 20)) }),
  });
}

const DRAWS: readonly ((random: Random) => object)[] = [
  // Another's goods for what was bought, or some of them.
  (random) => {
    const [bought, given, other] = shuffled(random);
    const isWithin = random.chance(0.5);
    return {
      kind: 'buy_x_get_y',
      buy: {
        ...of(isWithin ? [given!, bought!, other!] : [bought!]),
        quantity: random.between(1, 3),
        ...shared(random),
      },
      get: { ...of([given!]), quantity: random.between(1, 2), percent: random.pick([100, 50, 30]) },
    };
  },
  (random) => {
    const goods = of(shuffled(random).slice(0, random.between(1, 3)));
    const how = random.pick([{ pick: 'cheapest' }, { spread: true }, {}]);
    const buy = { ...goods, quantity: random.between(1, 3), ...('spread' in how ? {} : shared(random)) };
    return { kind: 'buy_x_get_y', ...how, buy, get: { ...goods, quantity: 1, percent: random.pick([100, 50]) } };
  },
  (random) => {
    const items = shuffled(random).slice(0, random.between(2, 3));
    return {
      kind: 'bundle_price',
      items: items.map((goods) => ({ ...of([goods]), quantity: random.between(1, 2) })),
      percent: random.between(10, 40),
      ...(random.chance(0.3) && { maximumDiscount: 100 * random.between(5, 40) }),
    };
  },
  (random) => ({
    kind: 'line_percent',
    ...ofSome(random),
    percent: random.between(10, 60),
    limit: { quantity: 4, period: 'month', counts: 'items', limitId: 'pieces' },
  }),
  (random) => ({
    kind: 'line_percent',
    ...ofSome(random),
    percent: random.between(10, 60),
    limit: { quantity: 500 * random.between(1, 12), period: 'month', counts: 'money', ...(random.chance(0.5) && TAB) },
  }),
  (random) => ({
    kind: 'line_amount',
    ...ofSome(random),
    amount: 100 * random.between(1, 20),
    per: 'unit',
    ...(random.chance(0.5) && { maximumUnits: random.between(1, 3) }),
    ...(random.chance(0.3) && { limit: { quantity: 1, period: 'day', counts: 'baskets' } }),
  }),
  (random) => ({ kind: 'unit_price', ...ofSome(random), unitPrice: 100 * random.between(4, 60) }),
  (random) => ({ kind: 'line_percent', ...ofSome(random), percent: random.between(5, 25) }),
  (random) => ({ kind: 'order_percent', ...ofSome(random), percent: random.between(2, 15) }),
  (random) => ({
    kind: 'order_amount',
    ...ofSome(random),
    amount: 100 * random.between(5, 50),
    ...(random.chance(0.4) && { minimumSpend: 1_000 * random.between(5, 60), minimumSpendBasis: 'net' }),
  }),
];

/** The limit of those that say so is one. */
const TAB = { limitId: 'tab', quantity: 4_000 };

function shared(random: Random): object {
  return random.chance(0.3) ? { combinable: true } : {};
}

function shuffled(random: Random): string[] {
  const left = [...GOODS];
  return GOODS.map(() => left.splice(random.below(left.length), 1)[0]!);
}

function of(productGroupIds: readonly string[]): object {
  return { appliesTo: { productGroupIds: [...new Set(productGroupIds)] } };
}

function ofSome(random: Random): object {
  return random.chance(0.2) ? {} : of(shuffled(random).slice(0, random.between(1, 3)));
}
