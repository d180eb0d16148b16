import type { BenefitDefinition } from '@loyalty/engine/definition';
import { PRODUCT_NAMES, type SelectorDefinition } from '@loyalty/engine/lines/selector';
import { type Fault, wrong } from './configuration-error.ts';

/** Selectors as they are written, and what they take. */

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

/**
 * Refuses halves of a set that have some goods in common and each some goods of its own: nobody could explain to a guest how such sets are
 * cut. Only the names in the file count: a price list that changes must not make a benefit invalid.
 */
export function findOverlapFault(benefit: BenefitDefinition): Fault | undefined {
  if (benefit.kind !== 'buy_x_get_y') return undefined;
  const [buy, get] = [benefit.buy.appliesTo ?? {}, benefit.get.appliesTo ?? {}];
  const halves = new Set([buy, get].flatMap(goodsOf).map((goods) => `${selects(buy, goods)} ${selects(get, goods)}`));
  if (!['true true', 'true false', 'false true'].every((half) => halves.has(half))) return undefined;
  const allowed = 'the goods of buy.appliesTo, other goods, or one of the two within the other';
  return wrong('get.appliesTo', get, allowed);
}

/** Goods of each name that a selector takes, also with each name that it leaves out, at their price and reduced. */
function goodsOf(selector: SelectorDefinition): Goods[] {
  const named = (list: 'included' | 'excluded'): Goods[] =>
    PRODUCT_NAMES.flatMap(({ field, [list]: own }) => (selector[own] ?? []).map((name) => ({ [field]: name })));
  const included = named('included');
  const taken = included.length === 0 ? [{}] : included;
  const goods = [...taken, ...taken.flatMap((own) => named('excluded').map((other) => ({ ...own, ...other })))];
  return goods.flatMap((own) => [own, { ...own, isReduced: true }]);
}
