import { kindOf } from '@loyalty/engine/benefits/register';
import type { BenefitDefinition } from '@loyalty/engine/definition';
import { PRODUCT_NAMES } from '@loyalty/engine/lines/selector';
import type { EnvironmentFile, VenueEntry } from '../schema.ts';
import { selects } from '../selectors.ts';
import { benefitsOf, takeApart, type WrittenBenefit } from '../written-benefit.ts';

/** What pieces of advice look at, and how they say what is probably not meant in a configuration without errors. */

/** A sentence with its place: from the benefit on, or from the programme on. */
export type Said = readonly [place: string, sentence: string];

/** Advice about one benefit that is switched on. */
export type BenefitAdvice = (own: WrittenBenefit, around: Around) => Iterable<Said>;
/** Advice about a programme as a whole. */
export type ProgrammeAdvice = (around: Around) => Iterable<Said>;

export type Product = NonNullable<VenueEntry['products']>[number];

/** A member as far as advice needs it; an export of Redis has them, too. */
export interface KnownMember {
  readonly programmeId: string;
  readonly tier?: string;
  readonly grants?: readonly (string | { readonly benefitId: string; readonly to?: string })[];
}

/** One programme, and everything around it that its benefits are compared with. */
export interface Around {
  readonly path: string;
  readonly programme: EnvironmentFile['programmes'][number];
  /** All of its benefits, with their numbers. */
  readonly benefits: readonly (readonly [number, BenefitDefinition])[];
  /** Those that are switched on, taken apart, with their numbers: one that is off may wait for its products, its members or its season. */
  readonly enabled: readonly (readonly [number, WrittenBenefit])[];
  /** The venues that run the programme. */
  readonly venues: readonly VenueEntry[];
  /** True for a product that the programme leaves out. */
  readonly isHidden: (product: Product) => boolean;
  /** The day that decides whether a campaign has ended, `2026-11-21`. */
  readonly today: string;
  /**
   * False while an entry that could name a tier, a product, a grant or this programme has a fault, or a field of the programme: its
   * mistyped name would be told a second time, as a name that nothing else has.
   */
  readonly isComplete: boolean;
  /** What names are compared with: nothing while the programme is not complete. */
  readonly products: readonly Product[];
  readonly members: readonly KnownMember[];
  /** How many benefits name a tier, or a product in one of the ways of a selector: `productGroupIds coffee`. */
  readonly mentions: ReadonlyMap<string, number>;
}

/** Each programme with what is around it. Entries with faults are null. */
export function programmesOf(
  { programmes, venues, members = [] }: EnvironmentFile,
  more: readonly KnownMember[],
  today: string,
): Around[] {
  const isSound = ![...venues, ...members].includes(null as never);
  const known = [...(members as readonly KnownMember[]), ...more];
  return programmes.flatMap((programme, p) => {
    const { programmeId, exclude } = programme;
    if (programmeId === undefined) return [];
    const benefits = benefitsOf(programme);
    const own = venues.filter((venue) => venue?.programmeId === programmeId);
    const apart = benefits.map(([b, benefit]) => [b, takeApart(benefit, own)] as const);
    const isComplete =
      isSound &&
      Object.values(programme).every((field) => field !== undefined) &&
      benefits.length === (programme.benefits?.length ?? 0);
    return {
      path: `programmes[${p}]`,
      programme,
      benefits,
      enabled: apart.filter(([, { benefit }]) => benefit.enabled !== false),
      venues: own,
      isHidden: (product) => exclude !== undefined && selects(exclude, product),
      today,
      isComplete,
      products: isComplete ? own.flatMap(({ products = [] }) => products) : [],
      members: isComplete ? known.filter((member) => member.programmeId === programmeId) : [],
      mentions: countMentions(apart.map(([, benefit]) => benefit)),
    };
  });
}

function countMentions(benefits: readonly WrittenBenefit[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { windows, allSelectors } of benefits) {
    const names = windows.flatMap(([, { tiers = [] }]) => tiers.map((tier) => `tiers ${tier}`));
    for (const [, selector] of allSelectors) {
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

/** The products of a venue's list that a benefit is about. */
export function listedFor({ selectors }: WrittenBenefit, { products = [] }: VenueEntry): Product[] {
  return products.filter((product) => selectors.some(([, selector]) => selects(selector, product)));
}

/** What to do about a list, a window or a selector that was emptied. */
export const LEAVE_OUT = 'leave it out if that is meant';

/** True for a benefit that gives holders of a grant something whole, as the tenth coffee of a stamp card. */
export function isReward(benefit: BenefitDefinition): boolean {
  if (benefit.audience !== 'granted') return false;
  return kindOf(benefit).level === 'gift' || ('percent' in benefit && benefit.percent === 100);
}
