/** What every line chooses by itself, and what the search may give to a part of it, against each offer alone. */

import type { BasketLine } from '@loyalty/contract/basket-request';
import { describe, expect, test } from 'vitest';
import { timesCases } from '../../../test/support/effort.ts';
import { Random } from '../../simulator/src/random.ts';
import { choosePlain, plainOffersOn } from '../src/choose/plain.ts';
import type { BenefitDefinition, ProgrammeDefinition } from '../src/definition.ts';
import type { LineOffer } from '../src/offers/offers.ts';
import { COST, Work } from '../src/work.ts';
import { buildBasket } from './support/basket.ts';
import { line, posedBy, staff } from './support/choices.ts';
import { expectApplied, priceFully } from './support/price.ts';

const SOAP = { productGroupIds: ['soap'] };
const CASES = 60;
const OF_BASKETS = { limit: { quantity: 9, period: 'lifetime', counts: 'baskets' } } as const;

function drawBenefit(random: Random, benefitId: string): BenefitDefinition {
  const named = {
    benefitId,
    ...(random.chance(0.5) && { appliesTo: SOAP }),
    priority: random.below(3),
    ...(random.chance(0.5) && OF_BASKETS),
  };
  const amount = random.pick([10, 20, 50]);
  return random.pick([
    { ...named, kind: 'line_percent', percent: amount },
    { ...named, kind: 'line_amount', amount, per: 'unit' },
    { ...named, kind: 'line_amount', amount, per: 'line' },
    { ...named, kind: 'unit_price', unitPrice: 100 - amount },
  ]);
}

function drawLine(random: Random, lineId: string, { withStaff }: { readonly withStaff: boolean }): BasketLine {
  return line(lineId, random.between(1, 4), random.pick([60, 100, 150]), {
    ...(random.chance(0.7) && { productGroupId: 'soap' }),
    ...(withStaff && random.chance(0.3) && staff(random.pick([10, 60]))),
    noDiscount: random.chance(0.1),
    noPercentageDiscount: random.chance(0.2),
  });
}

function drawCase(seed: number, withStaff: boolean) {
  const random = new Random(seed);
  const lines = Array.from({ length: random.between(1, 4) }, (_, at) => drawLine(random, `l${at}`, { withStaff }));
  const benefits = Array.from({ length: random.between(2, 8) }, (_, at) => drawBenefit(random, `b${at}`));
  const existingLineDiscounts = random.pick(['keep', 'stack', 'replace_if_larger'] as const);
  return { lines, benefits, policies: { existingLineDiscounts } };
}

/** Minor units that a benefit saves on each line where it is the only one. */
function savedAlone(
  lines: BasketLine[],
  benefit: BenefitDefinition,
  policies?: Partial<ProgrammeDefinition>,
): number[] {
  const basket = buildBasket(lines);
  const decision = priceFully(basket, [benefit], policies && { policies });
  if (decision.status !== 'applied') return lines.map(() => 0);
  return expectApplied(basket, decision).lines.map(
    ({ orderLinePrice }, at) => lines[at]!.orderLinePrice - orderLinePrice,
  );
}

const isLimited = ({ limit }: BenefitDefinition): boolean => limit !== undefined;
const idOf = ({ benefit }: LineOffer): string => benefit.benefitId;

/** Unlimited ones first, then by priority; equal ones stay in the order of their IDs. */
function byPreference(a: BenefitDefinition, b: BenefitDefinition): number {
  return Number(isLimited(a)) - Number(isLimited(b)) || b.priority! - a.priority!;
}

test('a line has the offer that saves most; of equals an unlimited one, then by priority, then by benefitId', () => {
  for (let seed = 1; seed <= timesCases(5 * CASES); seed++) {
    const { lines, benefits, policies } = drawCase(seed, true);
    const { problem, lines: read } = posedBy(buildBasket(lines), benefits, policies);
    const choice = choosePlain(problem.plain, read, problem.policy, new Work(1_000));
    const saved = benefits.map((benefit) => savedAlone(lines, benefit, policies));
    for (const [at, { lineId }] of lines.entries()) {
      const most = Math.max(...saved.map((own) => own[at]!));
      const best = most > 0 ? benefits.filter((_, own) => saved[own]![at] === most).sort(byPreference) : [];
      const tied = best.every(isLimited) && best.length > 1 ? best.map(({ benefitId }) => benefitId).sort() : undefined;
      expect(choice.savings[at], `seed ${seed}, ${lineId}`).toBe(most);
      expect(choice.offers[at]?.benefit.benefitId, `seed ${seed}, ${lineId}`).toBe(best[0]?.benefitId);
      expect(choice.ties.get(at)?.map(idOf), `seed ${seed}, ${lineId}`).toEqual(tied);
    }
  }
});

describe('the offers for a part of a line', () => {
  test('include the best one for any number of units', () => {
    for (let seed = 1; seed <= timesCases(CASES); seed++) {
      const { lines, benefits } = drawCase(seed, false);
      const { problem, lines: read } = posedBy(buildBasket(lines), benefits);
      const perLine = plainOffersOn(read, problem);
      for (const [at, own] of lines.entries()) {
        const open = benefits.filter(
          (benefit) =>
            !(own.noDiscount || (own.noPercentageDiscount && benefit.kind === 'line_percent')) &&
            (!('appliesTo' in benefit) || own.productGroupId === 'soap'),
        );
        const kept = perLine[at]!.map(idOf);
        for (let units = 1; units <= own.quantity; units++) {
          const part = line(own.lineId, units, own.unitPrice, { productGroupId: own.productGroupId ?? 'other' });
          const saved = open.map((benefit) => savedAlone([part], benefit)[0]!);
          const ofKept = saved.filter((_, n) => kept.includes(open[n]!.benefitId));
          expect(Math.max(0, ...ofKept), `seed ${seed}, ${units} of ${own.lineId}`).toBe(Math.max(0, ...saved));
        }
      }
    }
  });
});

test('an offer is looked at where the steps are just enough, and none after them', () => {
  const lines = [line('1', 2, 100, { productGroupId: 'soap' })];
  const tenths = Array.from(
    { length: 3 },
    (_, at): BenefitDefinition => ({
      ...{ benefitId: `b${at}`, kind: 'line_percent', percent: 10 + at, appliesTo: SOAP },
    }),
  );
  const { problem, lines: read } = posedBy(buildBasket(lines), tenths);
  const all = new Work(1_000);
  const best = choosePlain(problem.plain, read, problem.policy, all);
  const short = new Work(all.spent - COST.offer / 2);
  expect(choosePlain(problem.plain, read, problem.policy, short)).toEqual(best);
  const found = choosePlain(problem.plain, read, problem.policy, new Work(all.spent / 2));
  expect([found.savings, best.savings]).toEqual([[22], [24]]);
});

describe('an offer that is no better than one before', () => {
  const lines = [line('1', 2, 100, { productGroupId: 'soap' }), line('2', 1, 100, { productGroupId: 'soap' })];
  const alike = (count: number, more: Partial<BenefitDefinition> = {}): BenefitDefinition[] =>
    Array.from(
      { length: count },
      (_, at) => ({ benefitId: `b${at}`, kind: 'line_percent', percent: 10, ...more }) as BenefitDefinition,
    );

  test('is not computed', () => {
    const spentOn = (benefits: BenefitDefinition[], ask: (posed: ReturnType<typeof posedBy>, work: Work) => void) => {
      const work = new Work(1_000);
      ask(posedBy(buildBasket(lines), benefits), work);
      return work.spent;
    };
    const looking = 9 * (COST.offer + lines.length * COST.listedLine);
    const choosing = ({ problem, lines: read }: ReturnType<typeof posedBy>, work: Work) =>
      void choosePlain(problem.plain, read, problem.policy, work);
    expect(spentOn(alike(10, { appliesTo: SOAP }), choosing) - spentOn(alike(1), choosing)).toBeCloseTo(looking);
  });

  test.each([
    ['of the whole basket', {}, 1],
    ['of some products', { appliesTo: SOAP }, 9],
    ['limited', OF_BASKETS, 9],
  ])('is left out before where it is %s: %o leave %i of nine', (_, more, count) => {
    expect(posedBy(buildBasket(lines), alike(9, more)).problem.plain).toHaveLength(count);
  });
});
