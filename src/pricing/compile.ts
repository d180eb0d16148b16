import { kindOf } from './benefits/register.ts';
import type { BenefitDefinition, ProgrammeDefinition } from './definition.ts';
import type { Benefit, Programme } from './programme.ts';
import { SelectorIndexBuilder, type Spelling } from './selector.ts';
import { compileOpening, windowsOf } from './window.ts';

/** From the checked words of the configuration to what pricing runs on; done once per load, never per basket. */

const DEFAULT_DISCOUNT_CODE = 'loyalty';

/**
 * Compiles a programme. The order of the benefits in the file is forgotten here: they are sorted by benefitId. `spell` gives
 * the selectors the form of the baskets that they are to match; all other texts stay as they are.
 */
export function compileProgramme(definition: ProgrammeDefinition, spell: Spelling = (text) => text): Programme {
  const builder = new SelectorIndexBuilder(spell);
  const sorted = [...(definition.benefits ?? [])].sort((a, b) => (a.benefitId < b.benefitId ? -1 : 1));
  const enabled = sorted.filter((benefit) => benefit.enabled !== false);
  const scales: string[] = [];
  const benefits = enabled.map((benefit, ordinal) => compileBenefit(benefit, ordinal, builder, scales));
  if (definition.exclude) builder.exclude(definition.exclude);
  const selectorIndex = builder.build();
  const benefitOfSelector = benefits.flatMap(({ selectors, ordinal }) => selectors.map(() => ordinal));
  return {
    programmeId: definition.programmeId,
    ...(definition.memberLabel !== undefined && { memberLabel: definition.memberLabel }),
    discountCode: definition.discountCode ?? DEFAULT_DISCOUNT_CODE,
    existingLineDiscounts: definition.existingLineDiscounts ?? 'replace_if_larger',
    existingOrderDiscounts: definition.existingOrderDiscounts ?? 'keep',
    benefits,
    disabled: sorted.filter((benefit) => benefit.enabled === false).map(({ benefitId }) => ({ benefitId })),
    limited: benefits.filter((benefit) => benefit.limit),
    selectorIndex,
    benefitOfSelector,
    unselective: [...new Set(selectorIndex.everything.map((id) => benefitOfSelector[id]!))],
  };
}

/** Adds the benefit's selectors to the index and its scale to the scales. */
function compileBenefit(
  definition: BenefitDefinition,
  ordinal: number,
  builder: SelectorIndexBuilder,
  scales: string[],
): Benefit {
  const kind = kindOf(definition);
  const rule = kind.compile(definition);
  return {
    ordinal,
    benefitId: definition.benefitId,
    text: definition.text,
    rule,
    level: rule.level,
    scaleNumber: rule.level === 'line' ? numberOf(rule.scale, scales) : -1,
    namesMoney: kind.namesMoney || (definition.minimumSpend ?? 0) > 0 || definition.maximumDiscount !== undefined,
    selectors: kind.selections(definition).map(({ selector, isPercentage }) => builder.add(selector, isPercentage)),
    openings: windowsOf(definition.when).map(compileOpening),
    minimumSpend: definition.minimumSpend ?? 0,
    minimumQuantity: definition.minimumQuantity ?? 0,
    maximumDiscount: definition.maximumDiscount ?? Number.POSITIVE_INFINITY,
    limit: definition.limit,
    audience: definition.audience ?? 'everyone',
    exclusive: definition.exclusive ?? false,
    priority: definition.priority ?? 0,
  };
}

function numberOf(scale: string, scales: string[]): number {
  const known = scales.indexOf(scale);
  return known >= 0 ? known : scales.push(scale) - 1;
}
