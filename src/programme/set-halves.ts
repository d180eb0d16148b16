import type { BenefitDefinition } from '@loyalty/engine/definition';
import { PRODUCT_NAMES, type SelectorDefinition } from '@loyalty/engine/lines/selector';
import { type Fault, wrong } from './configuration-error.ts';
import { type Goods, selects } from './selectors.ts';

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
