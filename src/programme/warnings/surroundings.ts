import { kindOf } from '@loyalty/engine/benefits/register';
import { windowsOf } from '@loyalty/engine/compile/window';
import type { BenefitDefinition } from '@loyalty/engine/definition';
import { PRODUCT_NAMES } from '@loyalty/engine/lines/selector';
import { benefitsOf } from '../benefit-relations.ts';
import type { EnvironmentFile, VenueEntry } from '../schema.ts';
import { lineSelectorOf, namingSelectorsOf, selects } from '../selectors.ts';

/** Something in a configuration without faults that is probably not meant. */
export interface Warning {
  readonly path: string;
  readonly text: string;
}

export type Product = NonNullable<VenueEntry['products']>[number];

/** A member as far as warnings need it; an export of Redis has them, too. */
export interface KnownMember {
  readonly programmeId: string;
  readonly tier?: string;
  readonly grants?: readonly (string | { readonly benefitId: string; readonly to?: string })[];
}

/** One programme, and everything around it that its benefits are compared with. */
export interface Surroundings {
  readonly path: string;
  readonly programme: EnvironmentFile['programmes'][number];
  /** With their numbers. */
  readonly benefits: readonly (readonly [number, BenefitDefinition])[];
  /** The venues that run the programme. */
  readonly venues: readonly VenueEntry[];
  readonly products: readonly Product[];
  /** True for a product that the programme leaves out. */
  readonly isHidden: (product: Product) => boolean;
  readonly members: readonly KnownMember[];
  /** The day that decides whether a campaign has ended, `2026-11-21`. */
  readonly today: string;
  /**
   * False while an entry that could name a tier, a product, a grant or this programme has a fault, or a field of the programme: its
   * mistyped name would be told a second time, as a name that nothing else has.
   */
  readonly isComplete: boolean;
  /** How many benefits name a tier, or a product in one of the ways of a selector: `productGroupIds coffee`. */
  readonly mentions: ReadonlyMap<string, number>;
}

export function surroundingsOf(
  { programmes, venues, members = [] }: EnvironmentFile,
  more: readonly KnownMember[],
  today: string,
): Surroundings[] {
  const isSound = ![...venues, ...members].includes(null as never);
  const known = [...(members as readonly KnownMember[]), ...more];
  return programmes.flatMap((programme, p) => {
    const programmeId: unknown = programme?.programmeId;
    if (typeof programmeId !== 'string') return [];
    const benefits = benefitsOf(programme);
    const fields = Object.values(programme);
    const own = venues.filter((venue) => venue?.programmeId === programmeId);
    const exclude = lineSelectorOf(programme.exclude);
    return {
      path: `programmes[${p}]`,
      programme,
      benefits,
      venues: own,
      products: own.flatMap(({ products = [] }) => products),
      isHidden: (product) => exclude !== undefined && selects(exclude, product),
      members: known.filter((member) => member?.programmeId === programmeId),
      isComplete:
        isSound &&
        fields.every((field) => field !== undefined) &&
        benefits.length === (programme.benefits?.length ?? 0),
      today,
      mentions: countMentions(benefits.map(([, benefit]) => benefit)),
    };
  });
}

function countMentions(benefits: readonly BenefitDefinition[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const benefit of benefits) {
    const names = windowsOf(benefit.when).flatMap(({ tiers = [] }) => tiers.map((tier) => `tiers ${tier}`));
    for (const [, selector] of namingSelectorsOf(benefit)) {
      for (const { included } of PRODUCT_NAMES) {
        for (const name of selector[included] ?? []) names.push(`${included} ${name}`);
      }
    }
    for (const name of new Set(names)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** An amount of the configuration in a currency: a bare number, or an entry of a map by currency. */
export function amountIn(amount: unknown, currency: string): number | undefined {
  return typeof amount === 'number' ? amount : (amount as Readonly<Record<string, number>> | undefined)?.[currency];
}

/** True for a benefit that gives holders of a grant something whole, as the tenth coffee of a stamp card. */
export function isReward(benefit: BenefitDefinition): boolean {
  if (benefit.audience !== 'granted') return false;
  return kindOf(benefit).level === 'gift' || ('percent' in benefit && benefit.percent === 100);
}
