import { kindOf } from '@loyalty/engine/benefits/register';
import { compileProgramme } from '@loyalty/engine/compile/compile';
import { formsDeals } from '@loyalty/engine/compile/rule';
import type { BenefitDefinition, ProgrammeDefinition } from '@loyalty/engine/definition';
import { PRODUCT_NAMES } from '@loyalty/engine/lines/selector';
import { limitedUses } from '@loyalty/engine/offers/limits';
import { decideBasket } from '@loyalty/engine/price';
import type { Member, Venue } from '@loyalty/engine/types';
import { DEFAULT_MAXIMUM_STEPS } from '@loyalty/engine/work';
import { type MadeUpProduct, makeBasket } from '../made-up-basket.ts';
import type { WrittenBenefit } from '../written-benefit.ts';
import type { Around, ProgrammeAdvice, Said } from './advice.ts';

/**
 * Programmes of which the answers may often miss a cheaper choice: the engine itself prices made-up baskets for a member who holds every grant, and
 * says how large the gap to its own estimate is. A rule of thumb over the words of a programme would have to know all that the engine finds.
 */

const BASKETS = 6;
const LINES_PER_BASKET = 10;
/** A gap is large above this part of what a basket costs as it came; it often is where so many baskets have a large one. */
const LARGE = 1 / 100;
const OFTEN = BASKETS / 2;
/** Tiers looked at per programme. A programme with more is judged by the first ones. */
const MOST_TIERS = 5;
/** All programmes of an environment share so many baskets, and so many steps of pricing them: some seconds of work at most. */
const MOST_BASKETS = 300;
const MOST_STEPS = 400_000;
/** A programme may ask for a million steps a basket, which take seconds. One that asks for more than these is not judged. */
const MOST_STEPS_PER_BASKET = 2 * DEFAULT_MAXIMUM_STEPS;
/** Prices of made-up products, where no venue of the programme lists any. */
const LEAST_PRICE = 1_900;
const PRICE_STEP = 730;
const UNNAMED_PRODUCTS = 5;

/** A judge of the programmes of one environment: each is priced while the environment has baskets and steps left. */
export function judgeByBaskets(most = MOST_BASKETS, mostSteps = MOST_STEPS): ProgrammeAdvice {
  let left = most;
  let stepsLeft = mostSteps;
  return function* largeGaps(around: Around): Generator<Said> {
    const { venues, isComplete, programme } = around;
    if (!isComplete || venues.length === 0 || (programme.maximumSteps ?? 0) > MOST_STEPS_PER_BASKET) return;
    for (const tier of tiersOf(around)) {
      const open = around.enabled.flatMap(([, own]) => (isOpenTo(tier, own, around.today) ? [own] : []));
      if (open.filter(mayCompete).length < 2) continue;
      if (left < BASKETS || stepsLeft <= 0) return;
      left -= BASKETS;
      const { large, steps } = countLargeGaps(open, around);
      stepsLeft -= steps;
      if (large < OFTEN) continue;
      const holder = tier === undefined ? 'a member' : `a member of the tier ${tier}`;
      const found = `${large} of ${BASKETS} generated baskets of ${LINES_PER_BASKET} lines have a gap above 1 %`;
      yield ['benefits', `answers may often miss a cheaper choice: for ${holder} with every grant, ${found}`];
      return;
    }
  };
}

/** The tiers that benefits name, and no tier. */
function tiersOf({ enabled }: Around): (string | undefined)[] {
  const named = enabled.flatMap(([, { windows }]) => windows.flatMap(([, { tiers = [] }]) => tiers));
  return [undefined, ...[...new Set(named)].sort()].slice(0, 1 + MOST_TIERS);
}

/** True where a member of the tier can have the benefit at some time that is not over. */
function isOpenTo(tier: string | undefined, { windows }: WrittenBenefit, today: string): boolean {
  const isForTier = (tiers?: readonly string[]) => !tiers || (tier !== undefined && tiers.includes(tier));
  const isOver = (to?: string) => to !== undefined && to < today;
  return windows.length === 0 || windows.some(([, { tiers, to }]) => isForTier(tiers) && !isOver(to));
}

/** Fewer than two such benefits leave no gap. */
function mayCompete({ benefit, limits }: WrittenBenefit): boolean {
  if (formsDeals(kindOf(benefit).level)) return true;
  const { maximumUnits, maximumDiscount, group, minimumSaving } = benefit;
  const isLimited = limits.some(([, { counts }]) => counts !== 'baskets');
  return isLimited || [maximumUnits, maximumDiscount, group, minimumSaving].some((word) => word !== undefined);
}

/**
 * The benefits are open to whoever holds every grant, always and everywhere. Returns how many baskets have a large gap, and the steps that
 * all took.
 */
function countLargeGaps(open: readonly WrittenBenefit[], around: Around) {
  const benefits = open.map(({ benefit: { when: _, ...always } }) => always as BenefitDefinition);
  const { programmeId } = around.programme;
  const { venueId, terminalSetups, currencies, timeZone } = around.venues[0]!;
  const programme = compileProgramme({ ...around.programme, benefits } as ProgrammeDefinition);
  const venue: Venue = { venueId, terminalSetups, currencies, timeZone, programme, products: new Map() };
  const grants = benefits.map(({ benefitId }) => benefitId);
  const member: Member = { programmeId, loyaltyId: 'made-up', status: 'active', grants };
  const products = productsOf(around);
  const count = { large: 0, steps: 0 };
  for (let number = 0; number < BASKETS; number++) {
    const basket = makeBasket(number, LINES_PER_BASKET, products, venue, `${around.today}T12:00:00Z`);
    const uses = limitedUses(venue, basket.requestedAt, member);
    const available = new Map(uses.map(({ usageKey, limit }) => [usageKey, limit]));
    const { gap, steps } = decideBasket({ basket, member, venue, available });
    if (gap > basket.totals.total * LARGE) count.large++;
    count.steps += steps;
  }
  return count;
}

/** The products of the venues; where they list none, a product for each name of a selector, and some without any name. */
function productsOf({ products, isHidden, enabled }: Around): MadeUpProduct[] {
  const listed = products.filter((product) => !isHidden(product) && !product.noDiscount && product.unitPrice > 0);
  if (listed.length > 0) return listed;
  const made = new Map<string, Partial<MadeUpProduct>>();
  for (const [, selector] of enabled.flatMap(([, { selectors }]) => selectors)) {
    for (const { included, field } of PRODUCT_NAMES) {
      for (const name of selector[included] ?? []) made.set(`${included} ${name}`, { [field]: name });
    }
  }
  const unnamed = Array.from({ length: UNNAMED_PRODUCTS }, () => ({}));
  return [...made.values(), ...unnamed].map((product, at) => ({
    ...product,
    unitPrice: LEAST_PRICE + at * PRICE_STEP,
  }));
}
