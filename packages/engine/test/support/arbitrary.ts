import type { BasketLine, BasketRequest, OrderDiscount } from '@loyalty/contract/basket-request';
import fc from 'fast-check';
import { type BenefitKind, KINDS } from '../../src/benefits/register.ts';
import type { Amount } from '../../src/compile/words.ts';
import type { BenefitDefinition, ProgrammeDefinition } from '../../src/definition.ts';
import type { SelectorDefinition } from '../../src/lines/selector.ts';
import type { Product } from '../../src/types.ts';
import { buildBasket, buildLine } from './basket.ts';
import { drawFields } from './fields.ts';

/**
 * Random baskets and programmes over a small world, so that benefits meet: four products in two groups, small quantities,
 * prices from 1 to 50.00, every flag, discount and policy there is. They are made by fast-check and by no builder of
 * the kit, because fast-check then shrinks a failing pair to a small one.
 */

const PRODUCTS = ['p1', 'p2', 'p3', 'p4'] as const;
const GROUPS: Readonly<Record<string, string>> = { p1: 'g1', p2: 'g1', p3: 'g2', p4: 'g2' };

const price = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 50 }).map((tens) => tens * 100 - 10) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 5_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 5 }) },
);

const quantity = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 4 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 3_000 }).map((thousandths) => thousandths / 1_000) },
);

const lineSeed = fc.record({
  productId: fc.constantFrom(...PRODUCTS),
  quantity,
  unitPrice: price,
  noDiscount: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  noPercentageDiscount: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  existing: fc.option(fc.integer({ min: 0, max: 100 }), { freq: 3 }),
  parent: fc.option(fc.nat(), { freq: 4 }),
});

type LineSeed = typeof lineSeed extends fc.Arbitrary<infer Seed> ? Seed : never;

/** A staff order discount as a part of what its lines cost, on every line or on one. */
const staffSeed = fc.record({ part: fc.integer({ min: 0, max: 100 }), line: fc.option(fc.nat()) });

function arbitraryBasket(maxLines: number): fc.Arbitrary<BasketRequest> {
  return fc
    .record({
      lines: fc.array(lineSeed, { minLength: 1, maxLength: maxLines }),
      staff: fc.array(staffSeed, { maxLength: 2 }),
      hasStaff: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
    })
    .map(({ lines, staff, hasStaff }) => composeBasket(lines, hasStaff ? staff : []));
}

function composeBasket(
  seeds: readonly LineSeed[],
  staff: readonly { part: number; line: number | null }[],
): BasketRequest {
  const lines = seeds.map((seed, i) => composeLine(seed, i));
  const orderDiscounts: OrderDiscount[] = staff.map(({ part, line }, s) => {
    const orderDiscountId = `staff-${s}`;
    let amount = 0;
    lines.forEach((target, i) => {
      if (line !== null && line % lines.length !== i) return;
      const share = Math.floor((target.orderLinePrice * part) / 100);
      target.orderDiscountAllocation.push({ orderDiscountId, orderDiscountAllocationAmount: share });
      target.orderLinePrice -= share;
      amount += share;
    });
    return { orderDiscountId, type: 'amount', amount };
  });
  return buildBasket(lines, { orderDiscounts });
}

function composeLine({ productId, existing, parent, ...seed }: LineSeed, i: number): BasketLine {
  const bare = buildLine({ lineId: `line-${i}`, productId, ...seed, orderDiscountAllocation: [] });
  const discount = existing === null ? 0 : Math.floor((bare.originalLinePrice * existing) / 100);
  return {
    ...bare,
    productGroupId: GROUPS[productId]!,
    ...(parent !== null && i > 0 && { parentLineId: `line-${parent % i}` }),
    existingLineDiscountType: existing === null ? 'none' : 'amount',
    existingLineDiscountAmount: discount,
    orderLinePrice: bare.originalLinePrice - discount,
  };
}

/** The value once in so many draws, otherwise undefined: `fc.option` with `freq` leaves it out as seldom. */
function onceIn<T>(draws: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc
    .tuple(fc.integer({ min: 1, max: draws }), arbitrary)
    .map(([draw, value]) => (draw === draws ? value : undefined));
}

const selector: fc.Arbitrary<SelectorDefinition> = fc
  .record({
    by: fc.constantFrom('all', 'group', 'product', 'products'),
    product: fc.constantFrom(...PRODUCTS),
    excluded: onceIn(3, fc.constantFrom(...PRODUCTS)),
    excludedGroup: onceIn(6, fc.constantFrom('g1', 'g2')),
  })
  .map(({ by, product, excluded, excludedGroup }) => ({
    ...(by === 'group' && { productGroupIds: [GROUPS[product]!] }),
    ...(by === 'product' && { productIds: [product] }),
    ...(by === 'products' && { productIds: [product, 'p1'] }),
    ...(excluded !== undefined && { excludeProductIds: [excluded] }),
    ...(excludedGroup !== undefined && { excludeProductGroupIds: [excludedGroup] }),
  }));

const percent = fc.oneof(
  fc.constantFrom(5, 10, 20, 25, 33.33, 50, 100),
  fc.integer({ min: 1, max: 10_000 }).map((hundredths) => hundredths / 100),
);
const amount = fc.oneof(
  fc.integer({ min: 1, max: 30 }).map((tens) => tens * 100),
  fc.integer({ min: 1, max: 3_000 }),
);
/** Mostly a bare number, sometimes by currency, seldom in another currency than the basket's. */
const money: fc.Arbitrary<Amount> = fc.oneof(
  { weight: 12, arbitrary: amount },
  { weight: 2, arbitrary: amount.map((NOK) => ({ NOK, SEK: 100 })) },
  { weight: 1, arbitrary: amount.map((SEK) => ({ SEK })) },
);
const units = fc.record({ appliesTo: selector, quantity: fc.integer({ min: 1, max: 2 }) });

/** The own fields of a kind, each by its schema. */
function fieldsOf(kind: BenefitKind): fc.Arbitrary<object> {
  const fields = drawFields<fc.Arbitrary<unknown>>(kind, {
    percent: () => percent,
    amount: () => money,
    selector: () => selector,
    units: () => units,
    count: () => fc.integer({ min: 1, max: 3 }),
    choice: (values) => fc.constantFrom(...values),
  });
  return fc.record(fields);
}

/** Kinds whose fields are not drawn each by itself. */
const DRAWS: Readonly<Partial<Record<BenefitKind, fc.Arbitrary<object>>>> = {
  buy_x_get_y: fc
    .record({
      buy: units,
      get: units,
      percent,
      pick: fc.constantFrom('per_set', 'per_set', 'cheapest'),
      combinable: fc.nat(4),
      spread: fc.nat(3),
      complete: fc.boolean(),
    })
    .map(({ buy, get, percent: off, pick, combinable, spread, complete }) => ({
      buy: { ...buy, combinable: combinable === 0 },
      get: { ...get, percent: off, ...(get.quantity > 1 && { complete }) },
      pick,
      spread: combinable > 0 && spread === 0,
    })),
  bundle_price: fc
    .record({
      items: fc.array(units, { minLength: 1, maxLength: 2 }),
      cost: fc.oneof(fc.record({ bundlePrice: money }), fc.record({ percent }), fc.record({ amount: money })),
    })
    .map(({ cost, ...words }) => ({ ...words, ...cost })),
  free_product: fc.record({
    productId: fc.constantFrom('gift', 'p1'),
    quantity: fc.integer({ min: 1, max: 2 }),
    inBasketFirst: fc.boolean(),
    appliesTo: selector,
  }),
  order_amount: fc.record({ amount: money, perSpend: fc.option(money, { nil: undefined }), appliesTo: selector }),
};

/** What is drawn more often than once. */
const WEIGHTS: Readonly<Partial<Record<BenefitKind, number>>> = {
  line_percent: 3,
  line_amount: 2,
  buy_x_get_y: 2,
  bundle_price: 2,
};

const own = fc.oneof(
  ...(Object.keys(KINDS) as BenefitKind[]).map((kind) => ({
    weight: WEIGHTS[kind] ?? 1,
    arbitrary: fc.record({ kind: fc.constant(kind), fields: DRAWS[kind] ?? fieldsOf(kind) }),
  })),
);

const conditions = fc.record({
  minimumSpend: onceIn(3, money),
  minimumQuantity: onceIn(4, fc.integer({ min: 1, max: 4 })),
  minimumSpendOn: fc.constantFrom('eligible' as const, 'basket' as const),
  minimumSpendBasis: fc.constantFrom('incoming' as const, 'incoming' as const, 'net' as const),
  maximumUnits: onceIn(3, fc.integer({ min: 1, max: 4 })),
  maximumDiscount: onceIn(2, money),
  limit: fc.option(
    fc.record({
      quantity: fc.integer({ min: 1, max: 4 }),
      period: fc.constantFrom('day' as const, 'day' as const, 'basket' as const),
      counts: fc.constantFrom('baskets' as const, 'items' as const),
    }),
    { freq: 2, nil: undefined },
  ),
  minimumSaving: onceIn(6, money),
  group: onceIn(3, fc.constantFrom('one', 'two')),
  enabled: onceIn(12, fc.constant(false)),
  exclusive: fc.integer({ min: 0, max: 7 }).map((n) => n === 0),
  priority: fc.integer({ min: 0, max: 2 }),
});

/** A benefit of any kind. `isUnlimited` leaves out the limit and `exclusive`. */
export function arbitraryBenefit(benefitId: string, isUnlimited = false): fc.Arbitrary<BenefitDefinition> {
  return fc.tuple(own, conditions).map(([{ kind, fields }, { limit, exclusive, ...rest }]) => {
    const { level } = KINDS[kind];
    const counts = level === 'order' ? 'baskets' : limit?.counts;
    const { maximumDiscount, maximumUnits, minimumSpendBasis, ...others } = rest;
    const definition = {
      benefitId,
      text: `Benefit ${benefitId}`,
      kind,
      ...fields,
      ...others,
      ...(level !== 'gift' && { maximumDiscount }),
      ...(level === 'order' ? { minimumSpendBasis } : { maximumUnits }),
      ...(limit && !isUnlimited && { limit: { quantity: limit.quantity, counts, period: limit.period } }),
      ...(exclusive && !isUnlimited && { exclusive }),
    };
    return JSON.parse(JSON.stringify(definition)) as BenefitDefinition;
  });
}

export interface Case {
  readonly basket: BasketRequest;
  readonly benefits: readonly BenefitDefinition[];
  readonly policies: Pick<
    ProgrammeDefinition,
    'existingLineDiscounts' | 'existingOrderDiscounts' | 'exclude' | 'groups' | 'modifiers'
  >;
}

export function arbitraryCase(maxLines: number, maxBenefits: number): fc.Arbitrary<Case> {
  const count = fc.integer({ min: 1, max: maxBenefits });
  return fc.record({
    basket: arbitraryBasket(maxLines),
    benefits: count.chain((n) => fc.tuple(...Array.from({ length: n }, (_, b) => arbitraryBenefit(`b${b}`)))),
    policies: fc
      .record({
        existingLineDiscounts: fc.constantFrom('replace_if_larger' as const, 'keep' as const, 'stack' as const),
        existingOrderDiscounts: fc.constantFrom('keep' as const, 'replace_if_larger' as const),
        groups: fc.constant({ one: { atMost: 1 }, two: { atMost: 2 } }),
        exclude: fc.constantFrom<SelectorDefinition>({ productIds: ['p4'] }, { productIds: ['p1'] }),
        modifiers: fc.constantFrom('apart' as const, 'apart' as const, 'together' as const),
        excludes: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
      })
      .map(({ exclude, excludes, ...policies }) => ({ ...policies, ...(excludes && { exclude }) })),
  });
}

const GIFT: Product = {
  productId: 'gift',
  name: 'Gift',
  unitPrice: 2_500,
  noDiscount: false,
  noPercentageDiscount: false,
};

/** The products that are given: one that no basket has, and one that it may have. */
export const GIFTS: readonly Product[] = [GIFT, { ...GIFT, productId: 'p1' }];
