import { compileProgramme } from '@loyalty/engine/compile/compile';
import type { BenefitConditions, BenefitDefinition } from '@loyalty/engine/definition';
import type { SelectorDefinition } from '@loyalty/engine/lines/selector';
import type { Member, Venue } from '@loyalty/engine/types';
import { Random } from '../../packages/simulator/src/random.ts';
import { GROUP_COUNT, groupId, productId, shopProducts } from './shop.ts';

/** The priced programmes; each can have any number of benefits. */
export const PROGRAMMES = [
  'percent by group',
  'mixed by group',
  'everything, line kinds',
  'everything, mixed',
] as const;
export type ProgrammeName = (typeof PROGRAMMES)[number];

export const ABOUT: Readonly<Record<ProgrammeName, string>> = {
  'percent by group': 'line_percent on one product group each',
  'mixed by group': 'all eight kinds on one to three product groups each, about half of them not open here and now',
  'everything, line kinds': 'line_percent, line_amount and unit_price, each on every line: the hard case of matching',
  'everything, mixed': 'all eight kinds, each on every line: the hard case of choosing',
};

/** A benefit with the facts that the benchmark needs without asking the engine. */
export interface Entry {
  readonly definition: BenefitDefinition;
  /** The product groups that it names; undefined means every line. */
  readonly groups: ReadonlySet<string> | undefined;
  /** True when the benchmark's member, venue and time meet its conditions. */
  readonly isOpen: boolean;
}

type Kind = BenefitDefinition['kind'];

/** Twenty benefits of a usual programme, ordered so that any beginning of the list is mixed too. */
const MIX: readonly Kind[] = [
  ...(['line_percent', 'line_amount', 'unit_price', 'line_percent', 'buy_x_get_y'] as const),
  ...(['line_percent', 'order_percent', 'line_percent', 'line_amount', 'bundle_price'] as const),
  ...(['line_percent', 'unit_price', 'free_product', 'line_percent', 'buy_x_get_y'] as const),
  ...(['line_percent', 'line_amount', 'order_amount', 'line_percent', 'unit_price'] as const),
];
const LINE_KINDS: readonly Kind[] = ['line_percent', 'line_amount', 'unit_price'];

export const MEMBER: Member = {
  programmeId: 'bench-club',
  loyaltyId: 'member-000000',
  status: 'active',
  tier: 'gold',
  grants: [],
};

/** Creates `count` benefits; a longer list begins with the shorter one. */
export function createEntries(name: ProgrammeName, count: number): Entry[] {
  const random = new Random(7);
  return Array.from({ length: count }, (_, index) => createEntry(name, index, random));
}

function createEntry(name: ProgrammeName, index: number, random: Random): Entry {
  const benefitId = `benefit-${String(index).padStart(4, '0')}`;
  const [named, condition] = [random.between(1, 3), random.below(10)];
  if (name === 'percent by group') {
    const groups = [groupId(index % GROUP_COUNT)];
    return entry(defineBenefit('line_percent', { benefitId }, { productGroupIds: groups }, random), groups, true);
  }
  if (name === 'mixed by group') {
    const kind = MIX[index % MIX.length] as Kind;
    const groups = Array.from({ length: named }, () => groupId(random.below(GROUP_COUNT)));
    const { isOpen, ...conditions } = conditionsOf(kind, condition);
    const definition = defineBenefit(kind, { benefitId, ...conditions }, { productGroupIds: groups }, random);
    return entry(definition, groups, isOpen);
  }
  const kinds = name === 'everything, mixed' ? MIX : LINE_KINDS;
  return entry(defineBenefit(kinds[index % kinds.length] as Kind, { benefitId }, undefined, random), undefined, true);
}

function entry(definition: BenefitDefinition, groups: readonly string[] | undefined, isOpen: boolean): Entry {
  return { definition, groups: groups && new Set(groups), isOpen };
}

/**
 * Chooses conditions: half of a programme is for other members, other hours or other tills, and a discount on the order
 * is a voucher.
 */
function conditionsOf(kind: Kind, roll: number): Partial<BenefitConditions> & { isOpen: boolean } {
  if (kind === 'order_percent' || kind === 'order_amount') {
    return roll < 8
      ? { audience: 'granted', isOpen: false }
      : { when: { tiers: ['gold'] }, minimumSpend: 20_000, isOpen: true };
  }
  if (roll < 2) return { audience: 'granted', isOpen: false };
  if (roll < 4) return { when: { hours: '18:00-22:00' }, isOpen: false };
  if (roll < 5) return { when: { tiers: ['silver'] }, isOpen: false };
  if (roll < 7) return { when: { tiers: ['gold'], weekdays: ['thu', 'fri', 'sat'] }, isOpen: true };
  return { isOpen: true };
}

function defineBenefit(
  kind: Kind,
  conditions: BenefitConditions,
  appliesTo: SelectorDefinition | undefined,
  random: Random,
): BenefitDefinition {
  const base = { ...conditions, text: `Benefit ${conditions.benefitId}`, ...(appliesTo && { appliesTo }) };
  const units = (quantity: number) => ({ quantity, ...(appliesTo && { appliesTo }) });
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
export function venueOf(entries: readonly Entry[]): Venue {
  const benefits = entries.map(({ definition }) => definition);
  return {
    venueId: 'bench-venue',
    terminalSetups: ['500123'],
    currencies: ['NOK'],
    timeZone: 'Europe/Oslo',
    programme: compileProgramme({ programmeId: 'bench-club', memberLabel: 'Bench Club', benefits }),
    products: new Map(shopProducts().map((product) => [product.productId, product])),
  };
}
