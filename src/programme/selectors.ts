import { PRODUCT_NAMES, type SelectorDefinition } from '@loyalty/engine/lines/selector';
import { type Fault, wrong } from './configuration-error.ts';

/** Selectors as they are written, and what they take. */

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
export function findEmptySelector(selector: SelectorDefinition, path: string): Fault[] {
  const lists = PRODUCT_NAMES.filter(({ included }) => selector[included]);
  const leavesNone = lists.every(({ included, excluded }) =>
    selector[included]!.every((name) => selector[excluded]?.includes(name)),
  );
  const [first] = lists;
  if (!first || !leavesNone) return [];
  const { included, excluded } = first;
  return [wrong(`${path}.${excluded}`, selector[excluded], `a list that leaves one of ${included}`)];
}
