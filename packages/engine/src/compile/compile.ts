import { kindOf } from '../benefits/register.ts';
import type { BenefitDefinition, ProgrammeDefinition } from '../definition.ts';
import { type LineSelector, type Selector, type SelectorDefinition, SelectorIndexBuilder } from '../lines/selector.ts';
import { DEFAULT_MAXIMUM_STEPS } from '../work.ts';
import { amountsOf, currenciesOf, inCurrency, isBare } from './amounts.ts';
import type { Benefit, BenefitGroup, Programme } from './programme.ts';
import { compileOpening } from './window.ts';
import {
  entriesOf,
  type InCurrency,
  type Limit,
  type LimitDefinition,
  type RequirementDefinition,
  textIn,
} from './words.ts';

/** From the checked words of the configuration to what pricing runs on; done once per load, never per basket. */

const DEFAULT_DISCOUNT_CODE = 'loyalty';

/**
 * Compiles a programme. The order of the benefits in the file is forgotten here: they are sorted by benefitId. Of texts by
 * language those of `language` are taken here, so that pricing knows of no languages.
 */
export function compileProgramme(definition: ProgrammeDefinition, language?: string): Programme {
  const sorted = [...(definition.benefits ?? [])].sort((a, b) => (a.benefitId < b.benefitId ? -1 : 1));
  const enabled = sorted.filter((benefit) => benefit.enabled !== false);
  const builder = new SelectorIndexBuilder();
  const selected = enabled.map((benefit, ordinal) => selectionOf(benefit, ordinal, builder));
  const selectorIndex = builder.build({
    joinsModifiers: definition.modifiers === 'together',
    outside: definition.exclude && builder.select(definition.exclude),
    weighed: definition.weighed && builder.select(definition.weighed),
  });
  const disabled = sorted.filter((benefit) => benefit.enabled === false).map(({ benefitId }) => ({ benefitId }));
  const common = { ...settingsOf(definition, language), disabled, selectorIndex };
  const around = { language, groups: groupsOf(definition), scales: [] };
  const compileIn = (currency: string | undefined): Programme => {
    const benefits = enabled.map((benefit, ordinal) =>
      compileBenefit(benefit, { ...around, currency, ordinal, ...selected[ordinal]! }),
    );
    return { ...common, ...summaryOf(benefits), inCurrency: NO_CURRENCIES };
  };
  const currencies = new Set(enabled.flatMap((benefit) => currenciesOf(benefit) ?? []));
  const inCurrency = new Map([...currencies].map((currency) => [currency, compileIn(currency)]));
  return { ...compileIn(undefined), inCurrency };
}

const NO_CURRENCIES: ReadonlyMap<string, Programme> = new Map();

/** The selectors of a benefit. */
interface Selected {
  readonly selectors: readonly Selector[];
  /** Those of the goods that it requires. */
  readonly required: readonly Selector[];
  readonly rungUp: LineSelector | undefined;
}

function selectionOf(benefit: BenefitDefinition, ordinal: number, builder: SelectorIndexBuilder): Selected {
  const kind = kindOf(benefit);
  const add = (selector: SelectorDefinition, isPercentage: boolean): Selector =>
    builder.add(selector, { ordinal, isPercentage, isOfUnits: !kind.seesLines });
  const rungUp = kind.rungUp?.(benefit);
  return {
    selectors: kind.selections(benefit).map(({ selector, isPercentage }) => add(selector, isPercentage)),
    required: entriesOf(benefit.requires).map(({ appliesTo = {} }) => add(appliesTo, false)),
    rungUp: rungUp && builder.select(rungUp),
  };
}

function groupsOf({ groups = {} }: ProgrammeDefinition): ReadonlyMap<string, BenefitGroup> {
  return new Map(
    Object.entries(groups).map(([name, { atMost, take }]) => [
      name,
      { name, atMost, takesPriority: take === 'priority' },
    ]),
  );
}

/** What a programme says of itself. */
function settingsOf(definition: ProgrammeDefinition, language: string | undefined) {
  const memberLabel = textIn(definition.memberLabel, language);
  return {
    programmeId: definition.programmeId,
    ...(memberLabel !== undefined && { memberLabel }),
    discountCode: definition.discountCode ?? DEFAULT_DISCOUNT_CODE,
    existingLineDiscounts: definition.existingLineDiscounts ?? 'replace_if_larger',
    existingOrderDiscounts: definition.existingOrderDiscounts ?? 'keep',
    existingDiscountScope: definition.existingDiscountScope ?? 'line',
    maximumSteps: definition.maximumSteps ?? DEFAULT_MAXIMUM_STEPS,
  };
}

/** The benefits, with what a basket would ask of all of them. */
function summaryOf(benefits: readonly Benefit[]) {
  const everything = benefits.filter(({ selectors, requires }) =>
    [...selectors, ...requires.map(({ selector }) => selector)].some(({ namesEverything }) => namesEverything),
  );
  return {
    benefits,
    isRestricted: benefits.some((benefit) => benefit.group || benefit.minimumSaving > 0 || sharesBaskets(benefit)),
    limited: benefits.filter(({ limits }) => limits.length > 0),
    shares: benefits.flatMap(({ openings }) => openings.flatMap(({ conditions }) => conditions.share ?? [])),
    hasCommonLimits: benefits.some(({ limits }) => limits.some(({ of }) => of !== 'member')),
    unselective: everything.map(({ ordinal }) => ordinal),
  };
}

/** All that a benefit takes from its programme. */
interface Surroundings extends Selected {
  readonly currency: string | undefined;
  readonly language: string | undefined;
  readonly ordinal: number;
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
    openings: entriesOf(definition.when).map(compileOpening),
    ...minimumsOf(definition, required),
    ...limitsIn(definition),
    audience: definition.audience ?? 'everyone',
    group: definition.group === undefined ? undefined : groups.get(definition.group),
    picksCheapest: 'pick' in definition && definition.pick === 'cheapest',
    exclusive: definition.exclusive ?? false,
    priority: definition.priority ?? 0,
    fundedBy: definition.fundedBy,
  };
}

type Definition = InCurrency<BenefitDefinition>;

/** What a basket has to hold, to cost and to save. */
function minimumsOf(definition: Definition, required: readonly Selector[]) {
  const { minimumSpend = 0, minimumSpendBasis } = definition;
  const isNet = minimumSpendBasis === 'net';
  return {
    minimumSpend: isNet ? 0 : minimumSpend,
    netMinimum: isNet ? minimumSpend : 0,
    minimumSpendOn: definition.minimumSpendOn ?? 'eligible',
    minimumQuantity: definition.minimumQuantity ?? 0,
    minimumQuantityOn: definition.minimumQuantityOn ?? 'eligible',
    minimumSaving: definition.minimumSaving ?? 0,
    requires: entriesOf<RequirementDefinition>(definition.requires).map(({ quantity = 1, spend = 0 }, at) => ({
      selector: required[at]!,
      quantity,
      spend: spend as number,
    })),
  };
}

/** The maximums of one basket, and the limits that counters keep. */
function limitsIn(definition: Definition) {
  const limits = entriesOf<LimitDefinition>(definition.limit);
  const inBasket = limits.filter(({ period }) => period === 'basket');
  return {
    maximumDiscount: perBasket(inBasket, 'money', definition.maximumDiscount),
    maximumUnits: perBasket(inBasket, 'items', definition.maximumUnits),
    limits: limits.filter((limit) => !inBasket.includes(limit)).map(withOwner) as readonly Limit[],
    sharedInBasket: inBasket.filter(({ limitId }) => limitId !== undefined).map(withOwner) as Benefit['sharedInBasket'],
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
  inBasket: readonly LimitDefinition[],
  counts: Limit['counts'],
  maximum = Number.POSITIVE_INFINITY,
): number {
  const own = inBasket.filter((limit) => limit.counts === counts);
  return Math.min(maximum, ...own.map(({ quantity }) => quantity as number));
}

function numberOf(scale: string, scales: string[]): number {
  const known = scales.indexOf(scale);
  return known >= 0 ? known : scales.push(scale) - 1;
}
