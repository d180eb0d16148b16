import { kindOf } from '@loyalty/engine/benefits/register';
import type { WhenDefinition } from '@loyalty/engine/compile/window';
import type { LimitDefinition, RequirementDefinition } from '@loyalty/engine/compile/words';
import type { BenefitDefinition } from '@loyalty/engine/definition';
import type { SelectorDefinition } from '@loyalty/engine/lines/selector';
import type { EnvironmentFile, VenueEntry } from './schema.ts';

/** A part of a benefit with its place, from the benefit on: `when[1]`, `get.appliesTo`. */
export type Placed<Part> = readonly [place: string, part: Part];

/** A benefit without errors of its own, taken apart into what rules and advice look at. */
export interface WrittenBenefit {
  readonly benefit: BenefitDefinition;
  readonly windows: readonly Placed<WhenDefinition>[];
  readonly limits: readonly Placed<LimitDefinition>[];
  /** The goods that it discounts, gives, or asks the guest to buy. */
  readonly selectors: readonly Placed<SelectorDefinition>[];
  /** Those of the goods that it requires as well. */
  readonly allSelectors: readonly Placed<SelectorDefinition>[];
  /** The venues where it may apply, and the currencies of these. */
  readonly venues: readonly VenueEntry[];
  readonly currencies: readonly string[];
}

/** `venues` are those that run its programme. */
export function takeApart(benefit: BenefitDefinition, venues: readonly VenueEntry[]): WrittenBenefit {
  const windows = placed('when', benefit.when);
  const selectors = kindOf(benefit)
    .selections(benefit)
    .map(({ place, selector }): Placed<SelectorDefinition> => [place, selector]);
  const required = placed<RequirementDefinition>('requires', benefit.requires).map(
    ([place, { appliesTo = {} }]): Placed<SelectorDefinition> => [`${place}.appliesTo`, appliesTo],
  );
  const isOpenAt = (venueId: string): boolean =>
    windows.length === 0 || windows.some(([, { venueIds }]) => !venueIds?.length || venueIds.includes(venueId));
  const open = venues.filter(({ venueId }) => isOpenAt(venueId));
  return {
    benefit,
    windows,
    limits: placed('limit', benefit.limit),
    selectors,
    allSelectors: [...selectors, ...required],
    venues: open,
    currencies: [...new Set(open.flatMap((venue) => venue.currencies))],
  };
}

/** A field that may have one value or a list of them, each with its place. */
export function placed<Part>(name: string, written: Part | readonly Part[] | undefined): Placed<Part>[] {
  if (written === undefined) return [];
  if (!Array.isArray(written)) return [[name, written as Part]];
  return (written as readonly Part[]).map((part, at) => [`${name}[${at}]`, part]);
}

/** The benefits of a programme with their numbers, less those that are null because of a fault. Their own schemas are not checked. */
export function benefitsOf({ benefits = [] }: EnvironmentFile['programmes'][number]): [number, BenefitDefinition][] {
  return [...(benefits as BenefitDefinition[]).entries()].filter(([, benefit]) => benefit !== null);
}

/** The currencies of a venue in which the benefit may apply; a list of products is in the first one. */
export function currenciesAt(benefit: BenefitDefinition, { currencies }: VenueEntry): readonly string[] {
  return kindOf(benefit).usesPriceList ? currencies.slice(0, 1) : currencies;
}
