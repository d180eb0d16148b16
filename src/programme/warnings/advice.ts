import { kindOf } from '@loyalty/engine/benefits/register';
import type { WhenDefinition } from '@loyalty/engine/compile/window';
import type { LimitDefinition } from '@loyalty/engine/compile/words';
import type { BenefitDefinition } from '@loyalty/engine/definition';
import { PRODUCT_NAMES } from '@loyalty/engine/lines/selector';
import { below } from '../configuration-error.ts';
import type { EnvironmentFile, VenueEntry } from '../schema.ts';
import { lineSelectorOf, selects } from '../selectors.ts';
import { benefitsOf, type Placed, takeApart, type WrittenBenefit } from '../written-benefit.ts';

/** What pieces of advice look at, and how they say what is probably not meant in a configuration without errors. */

/** A sentence with its place: from the benefit on, or from the programme on. */
export type Said = readonly [place: string, sentence: string];

/** Advice about one benefit that is switched on. */
export type BenefitAdvice = (own: WrittenBenefit, around: Around) => Iterable<Said>;
/** Advice about a programme as a whole. */
export type ProgrammeAdvice = (around: Around) => Iterable<Said>;

/** When a piece speaks, and its sentence. */
type Sentence<Part> = (part: Part, around: Around, own: WrittenBenefit) => string | undefined;

/** Advice about a field of a benefit; without a field about the benefit itself. */
export function ofBenefit(field: string, sentence: Sentence<BenefitDefinition>): BenefitAdvice {
  return ofEach(({ benefit }) => [['', benefit]], field, sentence);
}

/** Advice about a field of each window of a benefit. */
export function ofWindow(field: string, sentence: Sentence<WhenDefinition>): BenefitAdvice {
  return ofEach(({ windows }) => windows, field, sentence);
}

/** Advice about a field of each limit of a benefit. */
export function ofLimit(field: string, sentence: Sentence<LimitDefinition>): BenefitAdvice {
  return ofEach(({ limits }) => limits, field, sentence);
}

/** Advice about each part of a benefit by itself. */
export function ofEach<Part>(
  partsOf: (own: WrittenBenefit) => readonly Placed<Part>[],
  field: string,
  sentence: Sentence<Part>,
): BenefitAdvice {
  return (own, around) =>
    partsOf(own).flatMap(([place, part]): Said[] => {
      const said = sentence(part, around, own);
      return said === undefined ? [] : [[below(place, field), said]];
    });
}

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

/** Each programme with what is around it. Entries with faults are null. */
export function programmesOf(
  { programmes, venues, members = [] }: EnvironmentFile,
  more: readonly KnownMember[],
  today: string,
): Around[] {
  const isSound = ![...venues, ...members].includes(null as never);
  const known = [...(members as readonly KnownMember[]), ...more];
  return programmes.flatMap((programme, p) => {
    const programmeId: unknown = programme?.programmeId;
    if (typeof programmeId !== 'string') return [];
    const benefits = benefitsOf(programme);
    const own = venues.filter((venue) => venue?.programmeId === programmeId);
    const exclude = lineSelectorOf(programme.exclude);
    const apart = benefits.map(([b, benefit]) => [b, takeApart(benefit, own)] as const);
    return {
      path: `programmes[${p}]`,
      programme,
      benefits,
      enabled: apart.filter(([, { benefit }]) => benefit.enabled !== false),
      venues: own,
      products: own.flatMap(({ products = [] }) => products),
      isHidden: (product) => exclude !== undefined && selects(exclude, product),
      members: known.filter((member) => member?.programmeId === programmeId),
      isComplete:
        isSound &&
        Object.values(programme).every((field) => field !== undefined) &&
        benefits.length === (programme.benefits?.length ?? 0),
      today,
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

/** True for a benefit that gives holders of a grant something whole, as the tenth coffee of a stamp card. */
export function isReward(benefit: BenefitDefinition): boolean {
  if (benefit.audience !== 'granted') return false;
  return kindOf(benefit).level === 'gift' || ('percent' in benefit && benefit.percent === 100);
}
