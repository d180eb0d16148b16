import { toHundredths } from '../money/round.ts';
import type { Benefit, ExistingLineDiscounts, ExistingOrderDiscounts, Limit, Programme, Rule } from './programme.ts';
import { type SelectorDefinition, SelectorIndexBuilder } from './selector.ts';
import { compileWindow, type WhenDefinition } from './window.ts';

/** From the checked words of the configuration to what pricing runs on; done once per load, never per basket. */

export const DEFAULT_DISCOUNT_CODE = 'loyalty';

export interface ProgrammeDefinition {
  readonly programmeId: string;
  readonly memberLabel?: string;
  readonly discountCode?: string;
  readonly existingLineDiscounts?: ExistingLineDiscounts;
  readonly existingOrderDiscounts?: ExistingOrderDiscounts;
  readonly benefits?: readonly BenefitDefinition[];
}

export interface BenefitConditions {
  readonly benefitId: string;
  readonly text?: string;
  readonly when?: WhenDefinition;
  readonly minimumSpend?: number;
  readonly limit?: Limit;
  readonly audience?: 'everyone' | 'granted';
  readonly priority?: number;
}

export type BenefitDefinition = BenefitConditions & {
  readonly kind: 'line_percent';
  readonly percent: number;
  readonly appliesTo?: SelectorDefinition;
};

/** Compiles a programme. The order of the benefits in the file is forgotten here: they are sorted by benefitId. */
export function compileProgramme(definition: ProgrammeDefinition): Programme {
  const builder = new SelectorIndexBuilder();
  const sorted = [...(definition.benefits ?? [])].sort((a, b) => (a.benefitId < b.benefitId ? -1 : 1));
  const benefits = sorted.map((benefit, ordinal) => compileBenefit(benefit, ordinal, builder));
  return {
    programmeId: definition.programmeId,
    ...(definition.memberLabel !== undefined && { memberLabel: definition.memberLabel }),
    discountCode: definition.discountCode ?? DEFAULT_DISCOUNT_CODE,
    existingLineDiscounts: definition.existingLineDiscounts ?? 'replace_if_larger',
    existingOrderDiscounts: definition.existingOrderDiscounts ?? 'keep',
    benefits,
    limited: benefits.filter((benefit) => benefit.limit),
    selectorIndex: builder.build(),
  };
}

function compileBenefit(definition: BenefitDefinition, ordinal: number, builder: SelectorIndexBuilder): Benefit {
  const when = definition.when ?? {};
  const window = compileWindow(when);
  return {
    ordinal,
    benefitId: definition.benefitId,
    ...(definition.text !== undefined && { text: definition.text }),
    rule: compileRule(definition, builder),
    ...(window && { window }),
    ...(when.channels && { channels: new Set(when.channels) }),
    ...(when.venueIds && { venueIds: new Set(when.venueIds) }),
    ...(when.tiers && { tiers: new Set(when.tiers) }),
    minimumSpend: definition.minimumSpend ?? 0,
    ...(definition.limit && { limit: definition.limit }),
    audience: definition.audience ?? 'everyone',
    priority: definition.priority ?? 0,
  };
}

function compileRule(definition: BenefitDefinition, builder: SelectorIndexBuilder): Rule {
  return {
    kind: 'line_percent',
    percentHundredths: toHundredths(definition.percent) as number,
    selector: builder.add(definition.appliesTo),
  };
}
