import { kindOf } from '../benefits/register.ts';
import type { BenefitDefinition, ProgrammeDefinition } from '../definition.ts';
import { type LineSelector, type Selector, SelectorIndexBuilder } from '../lines/selector.ts';
import { DEFAULT_MAXIMUM_STEPS } from '../work.ts';
import { amountsOf, currenciesOf, inCurrency, isBare, limitsOf, requirementsOf } from './amounts.ts';
import type { Benefit, BenefitGroup, Programme } from './programme.ts';
import { compileOpening, windowsOf } from './window.ts';
import type { Limit, LimitDefinition, RequirementDefinition } from './words.ts';
import { textIn } from './words.ts';

/** From the checked words of the configuration to what pricing runs on; done once per load, never per basket. */

const DEFAULT_DISCOUNT_CODE = 'loyalty';

/**
 * Compiles a programme. The order of the benefits in the file is forgotten here: they are sorted by benefitId. Of texts by
 * language those of `language` are taken here, so that pricing knows of no languages.
 */
export function compileProgramme(definition: ProgrammeDefinition, language?: string): Programme {
  const builder = new SelectorIndexBuilder();
  const sorted = [...(definition.benefits ?? [])].sort((a, b) => (a.benefitId < b.benefitId ? -1 : 1));
  const enabled = sorted.filter((benefit) => benefit.enabled !== false);
  const selectors = enabled.map((benefit, ordinal) =>
    kindOf(benefit)
      .selections(benefit)
      .map(({ selector, isPercentage }) =>
        builder.add(selector, { ordinal, isPercentage, isOfUnits: !kindOf(benefit).seesLines }),
      ),
  );
  const rungUp = enabled.map((benefit) => {
    const selector = kindOf(benefit).rungUp?.(benefit);
    return selector && builder.select(selector);
  });
  const required = enabled.map((benefit, ordinal) =>
    requirementsOf<RequirementDefinition>(benefit).map(({ appliesTo = {} }) =>
      builder.add(appliesTo, { ordinal, isPercentage: false, isOfUnits: !kindOf(benefit).seesLines }),
    ),
  );
  const selectorIndex = builder.build({
    joinsModifiers: definition.modifiers === 'together',
    outside: definition.exclude && builder.select(definition.exclude),
    weighed: definition.weighed && builder.select(definition.weighed),
  });
  const scales: string[] = [];
  const memberLabel = textIn(definition.memberLabel, language);
  const groups = new Map(
    Object.entries(definition.groups ?? {}).map(([name, { atMost, take }]) => [
      name,
      { name, atMost, takesPriority: take === 'priority' },
    ]),
  );
  const compileIn = (currency: string | undefined): Programme => {
    const benefits = enabled.map((benefit, ordinal) =>
      compileBenefit(benefit, {
        currency,
        language,
        ordinal,
        scales,
        groups,
        selectors: selectors[ordinal]!,
        required: required[ordinal]!,
        rungUp: rungUp[ordinal],
      }),
    );
    return {
      programmeId: definition.programmeId,
      ...(memberLabel !== undefined && { memberLabel }),
      discountCode: definition.discountCode ?? DEFAULT_DISCOUNT_CODE,
      existingLineDiscounts: definition.existingLineDiscounts ?? 'replace_if_larger',
      existingOrderDiscounts: definition.existingOrderDiscounts ?? 'keep',
      existingDiscountScope: definition.existingDiscountScope ?? 'line',
      maximumSteps: definition.maximumSteps ?? DEFAULT_MAXIMUM_STEPS,
      benefits,
      disabled: sorted.filter((benefit) => benefit.enabled === false).map(({ benefitId }) => ({ benefitId })),
      isRestricted: benefits.some((benefit) => benefit.group || benefit.minimumSaving > 0 || sharesBaskets(benefit)),
      limited: benefits.filter(({ limits }) => limits.length > 0),
      shares: benefits.flatMap(({ openings }) => openings.flatMap(({ conditions }) => conditions.share ?? [])),
      hasCommonLimits: benefits.some(({ limits }) => limits.some(({ of }) => of !== 'member')),
      selectorIndex,
      unselective: [...new Set(selectorIndex.everything.map((id) => selectorIndex.selectors[id]!.ordinal))],
      inCurrency: NO_CURRENCIES,
    };
  };
  const currencies = new Set(enabled.flatMap((benefit) => currenciesOf(benefit) ?? []));
  if (currencies.size === 0) return compileIn(undefined);
  return {
    ...compileIn(undefined),
    inCurrency: new Map([...currencies].map((currency) => [currency, compileIn(currency)])),
  };
}

const NO_CURRENCIES: ReadonlyMap<string, Programme> = new Map();

/** All that a benefit takes from its programme. */
interface Surroundings {
  readonly currency: string | undefined;
  readonly language: string | undefined;
  readonly ordinal: number;
  readonly selectors: readonly Selector[];
  /** Those of the goods that it requires. */
  readonly required: readonly Selector[];
  readonly rungUp: LineSelector | undefined;
  readonly scales: string[];
  readonly groups: ReadonlyMap<string, BenefitGroup>;
}

/** Adds the benefit's scale to the scales. */
function compileBenefit(
  written: BenefitDefinition,
  { currency, language, ordinal, selectors, required, rungUp, scales, groups }: Surroundings,
): Benefit {
  const kind = kindOf(written);
  const currencies = currenciesOf(written);
  const definition = inCurrency(written, currency);
  const rule = kind.compile(definition);
  const limits = limitsOf<LimitDefinition>(definition);
  const isNet = definition.minimumSpendBasis === 'net';
  return {
    ordinal,
    benefitId: definition.benefitId,
    text: textIn(definition.text, language),
    rule,
    level: rule.level,
    scaleNumber: rule.level === 'line' ? numberOf(rule.scale, scales) : -1,
    namesMoney: (kind.usesPriceList ?? false) || amountsOf(written).some(([, amount]) => isBare(amount)),
    isPriced: currencies === undefined || (currency !== undefined && currencies.includes(currency)),
    currencies,
    selectors,
    rungUp,
    openings: windowsOf(definition.when).map(compileOpening),
    minimumSpend: isNet ? 0 : (definition.minimumSpend ?? 0),
    netMinimum: isNet ? (definition.minimumSpend ?? 0) : 0,
    minimumSpendOn: definition.minimumSpendOn ?? 'eligible',
    minimumQuantity: definition.minimumQuantity ?? 0,
    minimumQuantityOn: definition.minimumQuantityOn ?? 'eligible',
    requires: requirementsOf<RequirementDefinition>(definition).map(({ quantity = 1, spend = 0 }, at) => ({
      selector: required[at]!,
      quantity,
      spend: spend as number,
    })),
    maximumDiscount: perBasket(limits, 'money', definition.maximumDiscount),
    maximumUnits: perBasket(limits, 'items', definition.maximumUnits),
    minimumSaving: definition.minimumSaving ?? 0,
    limits: limits.filter(({ period }) => period !== 'basket').map(withOwner) as readonly Limit[],
    sharedInBasket: limits
      .filter(({ period, limitId }) => period === 'basket' && limitId !== undefined)
      .map(withOwner) as Benefit['sharedInBasket'],
    audience: definition.audience ?? 'everyone',
    group: definition.group === undefined ? undefined : groups.get(definition.group),
    picksCheapest: 'pick' in definition && definition.pick === 'cheapest',
    exclusive: definition.exclusive ?? false,
    priority: definition.priority ?? 0,
    fundedBy: definition.fundedBy,
  };
}

/** A shared limit that counts baskets works like a group. */
function sharesBaskets({ limits, sharedInBasket }: Benefit): boolean {
  return [...limits, ...sharedInBasket].some(({ limitId, counts }) => limitId !== undefined && counts === 'baskets');
}

function withOwner(limit: LimitDefinition): LimitDefinition & Pick<Limit, 'of'> {
  return { ...limit, of: limit.of ?? 'member' };
}

/** A limit of one basket needs no counter: it is another maximum. */
function perBasket(
  limits: readonly LimitDefinition[],
  counts: Limit['counts'],
  maximum = Number.POSITIVE_INFINITY,
): number {
  const own = limits.filter((limit) => limit.period === 'basket' && limit.counts === counts);
  return Math.min(maximum, ...own.map(({ quantity }) => quantity as number));
}

function numberOf(scale: string, scales: string[]): number {
  const known = scales.indexOf(scale);
  return known >= 0 ? known : scales.push(scale) - 1;
}
