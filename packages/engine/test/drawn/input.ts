import { findAnswerMismatch } from '@loyalty/contract/basket/identities';
import type { Random } from '../../../simulator/src/random.ts';
import { compileProgramme } from '../../src/compile/compile.ts';
import type { BenefitDefinition, ProgrammeDefinition } from '../../src/definition.ts';
import type { SelectorDefinition } from '../../src/lines/selector.ts';
import { limitedUses } from '../../src/offers/limits.ts';
import { type BasketToPrice, priceBasket } from '../../src/price.ts';
import type { Decision, Member, Product } from '../../src/types.ts';
import { createBasket, drawLines } from './baskets.ts';
import { drawBenefit, drawStyle, GROUPS, pick } from './benefits.ts';

const MOST_BENEFITS = 500;
const SIZES = [1, 4, 4, 12, 30, 60, 100, 200, MOST_BENEFITS, MOST_BENEFITS];

function drawPolicies(random: Random): Partial<ProgrammeDefinition> {
  return {
    existingLineDiscounts: pick(random, ['replace_if_larger', 'keep', 'stack']),
    existingOrderDiscounts: pick(random, ['keep', 'replace_if_larger']),
    groups: Object.fromEntries(GROUPS.map((name) => [name, { atMost: pick(random, [1, 1, 2, 5, 40]) }])),
    ...(random.chance(0.2) && { exclude: pick(random, EXCLUDED) }),
  };
}

const EXCLUDED: readonly SelectorDefinition[] = [
  { productIds: ['product-1'] },
  { productGroupIds: Array.from({ length: 50 }, (_, n) => `group-${n}`) },
  { excludeProductMasterIds: ['master-1'] },
];

/** One or more styles side by side. */
function drawBenefits(random: Random, count: number): BenefitDefinition[] {
  const styles = Array.from({ length: pick(random, [1, 1, 2, 3]) }, () => drawStyle(random));
  return Array.from({ length: count }, (_, at) => drawBenefit(random, pick(random, styles), `b-${at}`));
}

const FREE: Product = {
  productId: 'product-0',
  productGroupId: 'group-0',
  name: 'Product 0',
  unitPrice: 1000,
  noDiscount: false,
  noPercentageDiscount: false,
};

/** What pricing is asked with: a member who holds every grant, and every limit untouched. Undefined where no caller could send the basket. */
export function drawInput(random: Random): BasketToPrice | undefined {
  const policies = drawPolicies(random);
  const benefits = drawBenefits(random, pick(random, SIZES));
  const basket = createBasket(drawLines(random));
  if (!basket) return undefined;
  const venue = {
    venueId: 'bench-venue',
    terminalSetups: ['500123'],
    currencies: ['NOK'],
    timeZone: 'Europe/Oslo',
    programme: compileProgramme({ programmeId: 'bench-club', ...policies, benefits }),
    products: new Map([[FREE.productId, FREE]]),
  };
  const member: Member = {
    programmeId: 'bench-club',
    loyaltyId: 'member-000000',
    status: 'active',
    grants: benefits.filter(({ audience }) => audience === 'granted').map(({ benefitId }) => benefitId),
  };
  const uses = limitedUses(venue, basket.requestedAt);
  return { basket, member, venue, available: new Map(uses.map(({ usageKey, limit }) => [usageKey, limit])) };
}

/** An answer may miss something, but is never wrong. */
export function checkAnswer(input: BasketToPrice): Decision {
  const decision = priceBasket(input);
  if (decision.status !== 'applied') return decision;
  const { calculationId } = input.basket;
  const { status, lines, orderDiscounts, totals } = decision;
  const fault = findAnswerMismatch(input.basket, { calculationId, status, lines, orderDiscounts, totals });
  if (fault) throw new Error(`An answer is wrong: ${JSON.stringify(fault)}`);
  return decision;
}
