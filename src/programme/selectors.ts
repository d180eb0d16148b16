import { kindOf } from '@loyalty/engine/benefits/register';
import { requirementsOf } from '@loyalty/engine/compile/amounts';
import type { RequirementDefinition } from '@loyalty/engine/compile/words';
import type { BenefitDefinition } from '@loyalty/engine/definition';
import { PRODUCT_NAMES, type SelectorDefinition } from '@loyalty/engine/lines/selector';
import { type Fault, show } from './configuration-error.ts';

/** Selectors as they are written: those of a benefit, those of a programme, and what they take. */

/** Every selector by which a benefit names goods, to discount, to buy or to give them, with its path from the benefit on. */
export function selectorsOf(benefit: BenefitDefinition): [place: string, selector: SelectorDefinition][] {
  return kindOf(benefit)
    .selections(benefit)
    .map(({ place, selector }) => [place, selector]);
}

/** The goods that a benefit requires beside, each with its path; `appliesTo` may be absent there. */
export function requirementsIn({ requires }: BenefitDefinition): [place: string, requirement: RequirementDefinition][] {
  return requirementsOf<RequirementDefinition>({ requires }).map((requirement, at) => [
    Array.isArray(requires) ? `requires[${at}]` : 'requires',
    requirement,
  ]);
}

/** Every selector of a benefit, those of the goods that it requires included. */
export function namingSelectorsOf(benefit: BenefitDefinition): [place: string, selector: SelectorDefinition][] {
  const required = requirementsIn(benefit).map(([place, { appliesTo = {} }]): [string, SelectorDefinition] => [
    `${place}.appliesTo`,
    appliesTo,
  ]);
  return [...selectorsOf(benefit), ...required];
}

/** A selector of the programme itself, `exclude` or `weighed`, if it is one; a programme may have faults. */
export function lineSelectorOf(written: unknown): SelectorDefinition | undefined {
  if (typeof written !== 'object' || written === null) return undefined;
  const selector = written as SelectorDefinition;
  const lists: readonly string[] = PRODUCT_NAMES.flatMap(({ included, excluded }) => [included, excluded]);
  const isKnown = ([name, value]: [string, unknown]) =>
    (lists.includes(name) && Array.isArray(value)) || (name === 'excludeDiscounted' && typeof value === 'boolean');
  return Object.entries(selector).every(isKnown) ? selector : undefined;
}

/** Names of a product, as far as they are known. */
export type Goods = { readonly [Field in (typeof PRODUCT_NAMES)[number]['field']]?: string | undefined } & {
  /** Rung up with an existing discount. */
  readonly isReduced?: boolean;
};

/** True when the selector takes these goods. One that names nothing takes all that it does not leave out. */
export function selects(selector: SelectorDefinition, goods: Goods): boolean {
  const isIn = (list: 'included' | 'excluded'): boolean =>
    PRODUCT_NAMES.some(({ field, [list]: own }) => goods[field] !== undefined && selector[own]?.includes(goods[field]));
  if (selector.excludeDiscounted && goods.isReduced) return false;
  return !isIn('excluded') && (PRODUCT_NAMES.every(({ included }) => !selector[included]?.length) || isIn('included'));
}

/** Refuses a selector that excludes every product that it names, and therefore takes no line. */
export function* findEmptySelector(selector: SelectorDefinition, path: string): Generator<Fault> {
  const lists = PRODUCT_NAMES.filter(({ included }) => selector[included]);
  const leavesNone = lists.every(({ included, excluded }) =>
    selector[included]!.every((name) => selector[excluded]?.includes(name)),
  );
  const [first] = lists;
  if (!first || !leavesNone) return;
  const { included, excluded } = first;
  const allowed = `a list that leaves one of ${included}`;
  yield { path: `${path}.${excluded}`, found: show(selector[excluded]), allowed };
}
