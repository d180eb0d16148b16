import { DEFAULT_MAXIMUM_STEPS } from '@loyalty/engine/work';
import { DEFAULT_SETTINGS } from '../judge.ts';

/**
 * What a field that is absent means, by its path: a benefit that loses `get.percent` gives its units for nothing, and a difference
 * that ends in "none" would say the opposite. Fields without a default are not here.
 */
export type Defaults = ReadonlyMap<string, unknown>;

export const NO_DEFAULTS: Defaults = new Map();

const BENEFIT_DEFAULTS: Defaults = new Map<string, unknown>([
  ['audience', 'everyone'],
  ['exclusive', false],
  ['priority', 0],
  ['minimumSpendOn', 'eligible'],
  ['minimumSpendBasis', 'incoming'],
  ['minimumQuantityOn', 'eligible'],
  ['requires.quantity', 1],
  ['appliesTo.excludeDiscounted', false],
  ['limit.of', 'member'],
  ['buy.combinable', false],
  ['get.percent', 100],
  ['get.complete', false],
  ['spread', false],
  ['quantity', 1],
  ['inBasketFirst', false],
]);

/** What a field that is absent means for a benefit of this kind. */
export function benefitDefaults(kind: unknown): Defaults {
  return new Map([...BENEFIT_DEFAULTS, ['pick', kind === 'buy_x_get_y' ? 'per_set' : 'best']]);
}

export const PROGRAMME_DEFAULTS: Defaults = new Map<string, unknown>([
  ['modifiers', 'apart'],
  ['existingLineDiscounts', 'replace_if_larger'],
  ['existingOrderDiscounts', 'keep'],
  ['existingDiscountScope', 'line'],
  ['returns', 'as_paid'],
  ['maximumSteps', DEFAULT_MAXIMUM_STEPS],
]);

/** The settings as a whole, and each field of them. */
export const SETTING_DEFAULTS: Defaults = new Map<string, unknown>(
  Object.entries({ ...DEFAULT_SETTINGS, events: { lines: true } }).flatMap(([name, fields]) => [
    [name, fields] as const,
    ...Object.entries(fields).map(([field, value]) => [`${name}.${field}`, value] as const),
  ]),
);
