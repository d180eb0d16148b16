import type { Random } from '../../../simulator/src/random.ts';
import { compileProgramme } from '../../src/compile/compile.ts';
import type { BenefitDefinition, ProgrammeDefinition } from '../../src/definition.ts';
import type { SelectorDefinition } from '../../src/lines/selector.ts';
import { limitedUses } from '../../src/offers/limits.ts';
import type { BasketToPrice } from '../../src/price.ts';
import type { Member, Product } from '../../src/types.ts';
import { createBasket, drawLines, type LineGene } from './baskets.ts';
import { drawBenefit, drawStyle, GROUPS, pick } from './benefits.ts';

/** A programme and a basket that can be drawn, changed and crossed with others. */
export interface Genome {
  readonly policies: Pick<
    ProgrammeDefinition,
    'existingLineDiscounts' | 'existingOrderDiscounts' | 'exclude' | 'groups'
  >;
  readonly benefits: readonly BenefitDefinition[];
  readonly lines: readonly LineGene[];
}

const MOST_BENEFITS = 500;
const SIZES = [1, 4, 4, 12, 30, 60, 100, 200, MOST_BENEFITS, MOST_BENEFITS];

export function drawGenome(random: Random): Genome {
  return {
    policies: drawPolicies(random),
    benefits: drawBenefits(random, pick(random, SIZES)),
    lines: drawLines(random),
  };
}

function drawPolicies(random: Random): Genome['policies'] {
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

/** A child of one or two of the dearest: some part of it drawn anew, doubled, thinned out or taken from the other. */
export function breed(random: Random, parent: Genome, other: Genome): Genome {
  const child = pick(random, CHANGES)(random, parent, other);
  return random.chance(0.4) ? pick(random, CHANGES)(random, child, other) : child;
}

type Change = (random: Random, genome: Genome, other: Genome) => Genome;

const CHANGES: readonly Change[] = [
  (random, genome) => ({ ...genome, lines: drawLines(random) }),
  (random, genome) => ({ ...genome, policies: drawPolicies(random) }),
  (_, genome, other) => ({ ...genome, lines: other.lines }),
  (random, genome) => ({
    ...genome,
    benefits: named([...genome.benefits, ...drawBenefits(random, random.between(1, 60))]),
  }),
  (random, genome, other) => ({
    ...genome,
    benefits: named([...thin(random, genome.benefits), ...thin(random, other.benefits)]),
  }),
  (_, genome) => ({ ...genome, benefits: named([...genome.benefits, ...genome.benefits]) }),
  (random, genome) => ({ ...genome, benefits: named(thin(random, genome.benefits)) }),
  (random, genome) => ({ ...genome, lines: genome.lines.slice(0, random.between(1, genome.lines.length)) }),
  (_, genome) => ({ ...genome, lines: [...genome.lines, ...genome.lines].slice(0, 200) }),
  (random, genome) =>
    changeLines(random, genome, (gene) => ({ ...gene, quantity: pick(random, [1, 2, 3, 10, 100, 1_000_000]) })),
  (random, genome) =>
    changeLines(random, genome, (gene) => ({ ...gene, unitPrice: pick(random, [1, 100, 1000, 2999, 99_999]) })),
  (random, genome) => changeLines(random, genome, (gene) => ({ ...gene, existing: random.between(0, 50) })),
  (random, genome) => changeLines(random, genome, (gene) => ({ ...gene, allocations: random.between(0, 20) })),
  (random, genome) => changeBenefits(random, genome),
];

function thin(random: Random, benefits: readonly BenefitDefinition[]): BenefitDefinition[] {
  const kept = random.next();
  const some = benefits.filter(() => random.chance(kept));
  return some.length > 0 ? some : [...benefits];
}

function named(benefits: readonly BenefitDefinition[]): BenefitDefinition[] {
  return benefits.slice(0, MOST_BENEFITS).map((benefit, at) => ({ ...benefit, benefitId: `b-${at}` }));
}

function changeLines(random: Random, genome: Genome, change: (gene: LineGene) => LineGene): Genome {
  const part = pick(random, [0.1, 1]);
  return { ...genome, lines: genome.lines.map((gene) => (random.chance(part) ? change(gene) : gene)) };
}

/** The same option for all benefits that may have it. */
function changeBenefits(random: Random, genome: Genome): Genome {
  const changed = pick<Record<string, unknown>>(random, [
    { limit: undefined },
    { limit: { quantity: pick(random, [1, 3, 10, 1000]), period: 'week', counts: 'items' } },
    { limit: { quantity: 1, period: 'week', counts: 'baskets' } },
    { maximumDiscount: pick(random, [10, 1000, 100_000]) },
    { exclusive: random.chance(0.5) },
    { priority: random.between(-3, 3) },
    { minimumSpend: 1 },
    { group: pick(random, GROUPS) },
    { group: GROUPS[0] },
    { maximumUnits: pick(random, [1, 3, 1000]) },
  ]);
  const part = pick(random, [0.3, 1]);
  const benefits = genome.benefits.map((benefit) => {
    const isOrder = benefit.kind === 'order_percent' || benefit.kind === 'order_amount';
    const isRefused =
      (benefit.kind === 'free_product' && 'maximumDiscount' in changed) ||
      (isOrder && 'maximumUnits' in changed) ||
      (isOrder && (changed['limit'] as { counts?: string } | undefined)?.counts === 'items');
    return isRefused || !random.chance(part) ? benefit : ({ ...benefit, ...changed } as BenefitDefinition);
  });
  return { ...genome, benefits };
}

const FREE: Product = {
  productId: 'product-0',
  productGroupId: 'group-0',
  name: 'Product 0',
  unitPrice: 1000,
  noDiscount: false,
  noPercentageDiscount: false,
};

/** What pricing is asked with: a member who holds every grant, and every limit untouched. */
export function expressGenome({ policies, benefits, lines }: Genome): BasketToPrice | undefined {
  const basket = createBasket(lines);
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
