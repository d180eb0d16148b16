import { PRODUCT_NAMES, type SelectorDefinition } from '@loyalty/engine/lines/selector';
import { nearestName } from '../nearest-name.ts';
import type { Product } from './advice.ts';

/** Names of products in a selector, beside those that the products of the venues have. */

interface PlacedName {
  /** `productGroupIds`, or `excludeProductGroupIds`. */
  readonly list: string;
  /** `productGroupIds` in both cases. */
  readonly included: string;
  readonly name: string;
  readonly index: number;
  /** The names of that sort that products have. */
  readonly known: readonly string[];
}

/** The names that a selector takes or leaves out, each with its place. */
export function namesIn(
  selector: SelectorDefinition,
  products: readonly Product[],
  sort: 'included' | 'excluded' = 'included',
): PlacedName[] {
  return PRODUCT_NAMES.flatMap(({ included, field, [sort]: list }) => {
    const known = products.flatMap((product) => product[field] ?? []);
    return (selector[list] ?? []).map((name, index) => ({ list, included, name, index, known }));
  });
}

/** Numbers of neighbouring products differ by one digit, so names with digits are no mistakes of typing. */
export function looksMistyped(name: string, known: readonly string[]): boolean {
  return /^\D+$/.test(name) && nearestName(name, known) !== undefined;
}

/** `; did you mean coffee?`, or nothing. */
export function suggest(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, [...new Set(known)]);
  return nearest === undefined ? '' : `; did you mean ${nearest}?`;
}
