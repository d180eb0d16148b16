import type { BenefitDefinition } from '../pricing/definition.ts';
import { PRODUCT_NAMES, type SelectorDefinition } from '../pricing/lines/selector.ts';
import { type Fault, show } from './configuration-error.ts';
import type { VenueEntry } from './schema.ts';

/** Names of a product, as far as they are known. */
type Goods = { readonly [Field in (typeof PRODUCT_NAMES)[number]['field']]?: string };

/**
 * Refuses halves of a set that have some goods in common and each some goods of its own: nobody could explain to a guest how such sets are
 * cut. Names of the file and products of the venues are looked at; of two names in different fields nobody knows whether they mean one product.
 */
export function* findOverlapFaults(
  benefit: BenefitDefinition,
  venues: readonly VenueEntry[],
  path: string,
): Generator<Fault> {
  if (benefit.kind !== 'buy_x_get_y') return;
  const [buy, get] = [benefit.buy.appliesTo ?? {}, benefit.get.appliesTo ?? {}];
  const listed = venues.flatMap(({ products = [] }) => products);
  const goods = [...[buy, get].flatMap((selector) => goodsNamedBy(selector, listed)), ...listed];
  const halves = new Set(goods.map((own) => `${takes(buy, own)} ${takes(get, own)}`));
  if (!['true true', 'true false', 'false true'].every((half) => halves.has(half))) return;
  const allowed = 'the goods of buy.appliesTo, other goods, or one of the two within the other';
  yield { path: `${path}.get.appliesTo`, found: show(get), allowed };
}

/** Goods of each name in a selector, and such goods that it leaves out. Of a product that a venue lists all names are known. */
function goodsNamedBy(selector: SelectorDefinition, listed: readonly Goods[]): Goods[] {
  const namesIn = (list: 'included' | 'excluded'): Goods[] =>
    PRODUCT_NAMES.flatMap(({ field, [list]: own }) => (selector[own] ?? []).map((name) => ({ [field]: name })));
  const named = namesIn('included');
  const taken = named.length === 0 ? [{}] : named;
  const isListed = ({ productId, ean }: Goods): boolean =>
    listed.some(
      (own) => (productId !== undefined && productId === own.productId) || (ean !== undefined && ean === own.ean),
    );
  return [...taken, ...taken.flatMap((own) => namesIn('excluded').map((other) => ({ ...own, ...other })))].filter(
    (goods) => !isListed(goods),
  );
}

function takes(selector: SelectorDefinition, goods: Goods): boolean {
  const isIn = (list: 'included' | 'excluded'): boolean =>
    PRODUCT_NAMES.some(({ field, [list]: own }) => goods[field] !== undefined && selector[own]?.includes(goods[field]));
  return !isIn('excluded') && (PRODUCT_NAMES.every(({ included }) => !selector[included]) || isIn('included'));
}
