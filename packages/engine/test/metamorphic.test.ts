import type { BasketRequest } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import { timesCases } from '../../../test/support/effort.ts';
import { Random } from '../../simulator/src/random.ts';
import type { BenefitDefinition, ProgrammeDefinition } from '../src/definition.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { netCostOf, priceFully } from './support/price.ts';

/**
 * What a guest expects of any programme with sets, whatever the total is: compared are two baskets, or two programmes, that
 * differ in one thing. `CASES=n` plays n times as many; a failure names its seed.
 */

const CASES = timesCases(60);

interface Sold {
  readonly productId: string;
  readonly quantity: number;
  readonly unitPrice: number;
  /** So many lines stand below it. */
  readonly modifiers?: number;
}

const MODIFIER_PRICE = 500;
const TOGETHER = { modifiers: 'together' } as const;

interface Case {
  readonly sold: readonly Sold[];
  readonly benefits: readonly BenefitDefinition[];
}

const PRODUCTS = ['a', 'b', 'c'] as const;

/** Prices and percentages that leave nothing to round, so that lines may be split and scaled to the unit. */
function drawCase(random: Random): Case {
  const sold = Array.from({ length: random.between(2, 5) }, () => drawSold(random));
  const benefits = Array.from({ length: random.between(1, 3) }, (_, at) => drawBenefit(random, `b${at}`));
  return { sold, benefits };
}

function drawSold(random: Random): Sold {
  const unitPrice = random.pick([1_000, 2_000, 2_000, 3_000, 18_000]);
  return { productId: random.pick(PRODUCTS), quantity: random.between(1, 3), unitPrice };
}

function drawBenefit(random: Random, benefitId: string): BenefitDefinition {
  const percent = random.pick([10, 20, 50, 100]);
  if (random.chance(0.4)) return { benefitId, kind: 'line_percent', percent, ...drawSelector(random) };
  const spread = random.chance(0.2);
  return {
    benefitId,
    kind: 'buy_x_get_y',
    buy: { quantity: random.between(1, 2), ...drawSelector(random), combinable: !spread && random.chance(0.2) },
    get: { quantity: random.between(1, 2), ...drawSelector(random), percent },
    ...(random.chance(0.3) && { limit: { quantity: random.between(1, 4), period: 'day', counts: 'items' } }),
    spread,
  };
}

function drawSelector(random: Random): { appliesTo?: { productIds: string[] } } {
  return random.chance(0.6) ? {} : { appliesTo: { productIds: [random.pick(PRODUCTS), random.pick(PRODUCTS)] } };
}

function basketOf(sold: readonly Sold[]): BasketRequest {
  return buildBasket(
    sold.flatMap(({ modifiers = 0, ...own }, at) => {
      const parentLineId = `line-${at}`;
      const below = { productId: 'modifier', unitPrice: MODIFIER_PRICE, parentLineId };
      const more = Array.from({ length: modifiers }, (_, n) => buildLine({ lineId: `line-${at}-${n}`, ...below }));
      return [buildLine({ lineId: parentLineId, ...own }), ...more];
    }),
  );
}

function costOf(
  { sold, benefits }: Case,
  left: Readonly<Record<string, number>> = {},
  policies: Partial<ProgrammeDefinition> = {},
): number {
  const basket = basketOf(sold);
  return netCostOf(basket, priceFully(basket, benefits, { left, policies }));
}

/** The benefits with one limit for all of them, in items or money, of which so much is left; in tens, as prices are. */
function shareLimit(
  random: Random,
  benefits: readonly BenefitDefinition[],
): { benefits: BenefitDefinition[]; left: number; unit: number; name: string } {
  const isMoney = random.chance(0.5);
  const [unit, counts, name] = isMoney ? [1_000, 'money', '@all$NOK'] : [1, 'items', '@all'];
  const limit = { quantity: 100 * unit, period: 'month', counts, limitId: 'all' };
  const shared = benefits.map((benefit) => ({ ...benefit, limit }) as BenefitDefinition);
  return { benefits: shared, left: unit * random.between(1, 8), unit, name };
}

function shuffle<Item>(random: Random, items: readonly Item[]): Item[] {
  const drawn = items.map((item) => ({ item, at: random.below(1_000_000) }));
  return drawn.sort((a, b) => a.at - b.at).map(({ item }) => item);
}

/** Plays every seed and names the first one at which `fault` says something. */
function play(fault: (example: Case, random: Random) => string | undefined): void {
  for (let seed = 1; seed <= CASES; seed++) {
    const random = new Random(seed);
    const example = drawCase(random);
    const found = fault(example, random);
    if (found) expect.fail(`seed ${seed}: ${found}\n${JSON.stringify(example)}`);
  }
}

describe('the total', () => {
  it('rises by no more than the price of a line that is added', () =>
    play((example, random) => {
      const more = drawSold(random);
      const [before, after] = [costOf(example), costOf({ ...example, sold: [...example.sold, more] })];
      const price = more.quantity * more.unitPrice;
      return after - before > price ? `${JSON.stringify(more)} costs ${after - before}` : undefined;
    }));

  it('is the same in any order of the lines, and of the benefits and their names', () =>
    play((example, random) => {
      const cost = costOf(example);
      const benefits = shuffle(random, example.benefits).map((benefit, at) => ({ ...benefit, benefitId: `r${at}` }));
      const other = costOf({ sold: shuffle(random, example.sold), benefits });
      return other === cost ? undefined : `${cost} and ${other}`;
    }));

  it('is the same where a line is split in two', () =>
    play((example) => {
      const sold = example.sold.flatMap((own) =>
        own.quantity === 1
          ? [own]
          : [
              { ...own, quantity: 1 },
              { ...own, quantity: own.quantity - 1 },
            ],
      );
      const [cost, other] = [costOf(example), costOf({ ...example, sold })];
      return other === cost ? undefined : `${cost} and ${other}`;
    }));

  it('does not rise where more is left of a limit that benefits share', () =>
    play(({ sold, benefits: own }, random) => {
      const { benefits, left, unit, name } = shareLimit(random, own);
      const [less, more] = [left, left + unit].map((rest) => costOf({ sold, benefits }, { [name]: rest }));
      const alone = costOf({ sold, benefits: benefits.map((benefit) => ({ ...benefit, limit: undefined }) as never) });
      return more! > less! || alone > more!
        ? `${less} with ${left}, ${more} with more, ${alone} without a limit`
        : undefined;
    }));

  it('is the same where lines are split in two and change places, under a limit that benefits share', () =>
    play(({ sold, benefits: own }, random) => {
      const { benefits, left, name } = shareLimit(random, own.slice(0, 2));
      const single = sold.flatMap((line) => Array.from({ length: line.quantity }, () => ({ ...line, quantity: 1 })));
      const rest = { [name]: left };
      const [cost, other] = [
        costOf({ sold, benefits }, rest),
        costOf({ sold: shuffle(random, single), benefits }, rest),
      ];
      return other === cost ? undefined : `${cost} and ${other} with ${left} left`;
    }));

  it('rises by no more than the price of a modifier that is put on a unit, and is the same in any order of the lines', () =>
    play((example, random) => {
      const { benefits } = example;
      const sold = example.sold.map((own): Sold => ({ ...own, quantity: 1, modifiers: random.below(3) }));
      const at = random.below(sold.length);
      const more = sold.map((own, n) => (n === at ? { ...own, modifiers: own.modifiers! + 1 } : own));
      const [cost, withMore] = [
        costOf({ sold, benefits }, {}, TOGETHER),
        costOf({ sold: more, benefits }, {}, TOGETHER),
      ];
      if (withMore - cost > MODIFIER_PRICE) return `one more modifier costs ${withMore - cost}`;
      const other = costOf({ sold: shuffle(random, sold), benefits }, {}, TOGETHER);
      return other === cost ? undefined : `${cost} and ${other}`;
    }));

  it('is a hundred times as much where every price is', () =>
    play((example) => {
      const sold = example.sold.map((own) => ({ ...own, unitPrice: 100 * own.unitPrice }));
      const [cost, other] = [costOf(example), costOf({ ...example, sold })];
      return other === 100 * cost ? undefined : `${cost} and ${other}`;
    }));
});
