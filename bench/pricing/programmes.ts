import { compileProgramme } from '@loyalty/engine/compile/compile';
import type { BenefitConditions, BenefitDefinition } from '@loyalty/engine/definition';
import type { SelectorDefinition } from '@loyalty/engine/lines/selector';
import type { Member, Venue } from '@loyalty/engine/types';
import { Random } from '../../packages/simulator/src/random.ts';
import { GROUP_COUNT, groupId, productId, shopProducts } from './shop.ts';

/** The programmes of a shop; each can have any number of benefits. */
export const PROGRAMMES = ['percent by group', 'mixed by group'] as const;
export type ProgrammeName = (typeof PROGRAMMES)[number];

/** Twenty benefits of a usual programme, ordered so that any beginning of the list is mixed too. */
const MIX = [
  ...(['line_percent', 'line_amount', 'unit_price', 'line_percent', 'buy_x_get_y'] as const),
  ...(['line_percent', 'order_percent', 'line_percent', 'line_amount', 'bundle_price'] as const),
  ...(['line_percent', 'unit_price', 'free_product', 'line_percent', 'buy_x_get_y'] as const),
  ...(['line_percent', 'line_amount', 'order_amount', 'line_percent', 'unit_price'] as const),
] as const;
/** A kind that comes later is in no figure that was measured before. */
type Kind = (typeof MIX)[number];

export const MEMBER: Member = {
  programmeId: 'bench-club',
  loyaltyId: 'member-000000',
  status: 'active',
  tier: 'gold',
  grants: [],
};

/**
 * Creates `count` benefits, of 'percent by group' line_percent on one product group each, of 'mixed by group' the kinds of the mix on
 * one to three groups each, about half of them not open here and now. A longer list begins with the shorter one.
 */
export function createBenefits(name: ProgrammeName, count: number): BenefitDefinition[] {
  const random = new Random(7);
  return Array.from({ length: count }, (_, index) => createBenefit(name, index, random));
}

function createBenefit(name: ProgrammeName, index: number, random: Random): BenefitDefinition {
  const benefitId = `benefit-${String(index).padStart(4, '0')}`;
  if (name === 'percent by group') {
    return defineBenefit('line_percent', { benefitId }, { productGroupIds: [groupId(index % GROUP_COUNT)] }, random);
  }
  const kind = MIX[index % MIX.length] as Kind;
  const productGroupIds = Array.from({ length: random.between(1, 3) }, () => groupId(random.below(GROUP_COUNT)));
  return defineBenefit(kind, { benefitId, ...conditionsOf(kind, random.below(10)) }, { productGroupIds }, random);
}

/**
 * Chooses conditions: half of a programme is for other members, other hours or other tills, and a discount on the order
 * is a voucher.
 */
function conditionsOf(kind: Kind, roll: number): Partial<BenefitConditions> {
  if (kind === 'order_percent' || kind === 'order_amount') {
    return roll < 8 ? { audience: 'granted' } : { when: { tiers: ['gold'] }, minimumSpend: 20_000 };
  }
  if (roll < 2) return { audience: 'granted' };
  if (roll < 4) return { when: { hours: '18:00-22:00' } };
  if (roll < 5) return { when: { tiers: ['silver'] } };
  if (roll < 7) return { when: { tiers: ['gold'], weekdays: ['thu', 'fri', 'sat'] } };
  return {};
}

function defineBenefit(
  kind: Kind,
  conditions: BenefitConditions,
  appliesTo: SelectorDefinition,
  random: Random,
): BenefitDefinition {
  const base = { ...conditions, text: `Benefit ${conditions.benefitId}`, appliesTo };
  const units = (quantity: number) => ({ quantity, appliesTo });
  const size = random.between(5, 40);
  switch (kind) {
    case 'line_percent':
    case 'order_percent':
      return { ...base, kind, percent: kind === 'line_percent' ? size : 5 };
    case 'line_amount':
      return { ...base, kind, amount: size * 100, per: size % 2 === 0 ? 'unit' : 'line' };
    case 'unit_price':
      return { ...base, kind, unitPrice: 2000 + size * 100 };
    case 'buy_x_get_y':
      return { ...conditions, kind, buy: units(2), get: units(1) };
    case 'free_product':
      return { ...base, kind, productId: productId(size % GROUP_COUNT, 0) };
    case 'bundle_price':
      return { ...conditions, kind, items: [units(2), units(1)], bundlePrice: 5000 + size * 100 };
    case 'order_amount':
      return { ...base, kind, amount: size * 10 };
  }
}

/** The benchmark's venue with these benefits. */
export function venueOf(benefits: readonly BenefitDefinition[]): Venue {
  return {
    venueId: 'bench-venue',
    terminalSetups: ['500123'],
    currencies: ['NOK'],
    timeZone: 'Europe/Oslo',
    programme: compileProgramme({ programmeId: 'bench-club', memberLabel: 'Bench Club', benefits }),
    products: new Map(shopProducts().map((product) => [product.productId, product])),
  };
}
