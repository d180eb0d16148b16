/** Which lines a benefit looks at. Selectors are turned inside out at load: from a product to the selectors that name it. */

export interface SelectorDefinition {
  readonly productIds?: readonly string[];
  readonly productMasterIds?: readonly string[];
  readonly productGroupIds?: readonly string[];
  readonly eans?: readonly string[];
  readonly excludeProductIds?: readonly string[];
  readonly excludeProductMasterIds?: readonly string[];
  readonly excludeProductGroupIds?: readonly string[];
  readonly excludeEans?: readonly string[];
  /** Lines that come with an existing line discount do not match. */
  readonly excludeDiscounted?: boolean;
}

/** The ways in which a selector names products: the list that takes lines, the list that leaves lines out, the line's field, and what people call it. */
export const PRODUCT_NAMES = [
  { included: 'productIds', excluded: 'excludeProductIds', field: 'productId', label: 'products' },
  { included: 'productMasterIds', excluded: 'excludeProductMasterIds', field: 'productMasterId', label: undefined },
  { included: 'productGroupIds', excluded: 'excludeProductGroupIds', field: 'productGroupId', label: 'product groups' },
  { included: 'eans', excluded: 'excludeEans', field: 'ean', label: undefined },
] as const;

type ProductField = (typeof PRODUCT_NAMES)[number]['field'];

/** The products that one list names. */
interface Named {
  readonly field: ProductField;
  readonly names: ReadonlySet<string>;
}

/** A selector that is asked by itself: for lines that no benefit sees, that are never cut into units, or that hold a product. */
export interface LineSelector {
  /** Without a list every line that is not excluded. */
  readonly included: readonly Named[];
  readonly excluded: readonly Named[];
  readonly excludesDiscounted: boolean;
}

type SelectedLine = { readonly [Field in ProductField]?: string } & { readonly existingLineDiscountAmount?: number };

/** Per line whether a selector takes it. */
export function linesOf(
  { included, excluded, excludesDiscounted }: LineSelector,
  lines: readonly SelectedLine[],
): boolean[] {
  return lines.map((line) => {
    if (excludesDiscounted && isDiscounted(line)) return false;
    const isNamedBy = ({ field, names }: Named): boolean => line[field] !== undefined && names.has(line[field]);
    return !excluded.some(isNamedBy) && (included.length === 0 || included.some(isNamedBy));
  });
}

/** True for a line that came with an existing discount of its own. */
export function isDiscounted({ existingLineDiscountAmount = 0 }: SelectedLine): boolean {
  return existingLineDiscountAmount > 0;
}

/** A selector of a benefit. */
export interface Selector {
  /** Place in the index; the lines of a basket that match are kept under this number. */
  readonly id: number;
  /** The ordinal of its benefit, which is offered wherever the selector takes a line. */
  readonly ordinal: number;
  /** The benefit takes a percentage off what the selector names, so `noPercentageDiscount` lines do not count. */
  readonly isPercentage: boolean;
  /** Names every line of every basket. */
  readonly namesEverything: boolean;
  /** Of a benefit at line level, which sees a line and the lines below it as one where the programme says so. */
  readonly isOfUnits: boolean;
  /** The names in the selector, for people: `coffee or tea`. */
  readonly description: string;
}

/** The selectors that name a product by one field of the line. */
export interface FieldIndex {
  readonly field: ProductField;
  readonly ids: ReadonlyMap<string, readonly number[]>;
}

export interface SelectorIndex {
  readonly selectors: readonly Selector[];
  /** A line and the lines below it are one unit for benefits at line level. */
  readonly joinsModifiers: boolean;
  /** Selectors of every line. `everythingElse` are those of every line but some products. */
  readonly everything: readonly number[];
  readonly everythingElse: readonly number[];
  /** The selectors that take a product and those that leave it out, for every field by which any of them does. */
  readonly inclusions: readonly FieldIndex[];
  readonly exclusions: readonly FieldIndex[];
  /** Selectors that take no line with an existing discount. */
  readonly undiscounted: readonly number[];
  /** Lines that no benefit sees, and lines that are never cut into units. */
  readonly outside: LineSelector | undefined;
  readonly weighed: LineSelector | undefined;
}

/** Collects the selectors of a programme at load. A selector that names nothing to include takes every line. */
export class SelectorIndexBuilder {
  readonly #selectors: Selector[] = [];
  readonly #everything: number[] = [];
  readonly #everythingElse: number[] = [];
  readonly #undiscounted: number[] = [];
  readonly #fields = PRODUCT_NAMES.map(({ field }) => ({
    field,
    included: new Map<string, number[]>(),
    excluded: new Map<string, number[]>(),
  }));

  add(definition: SelectorDefinition, use: Pick<Selector, 'ordinal' | 'isPercentage' | 'isOfUnits'>): Selector {
    const id = this.#selectors.length;
    const lists = this.select(definition);
    for (const { field, included, excluded } of this.#fields) {
      register(included, lists.included, field, id);
      register(excluded, lists.excluded, field, id);
    }
    const namesNothing = lists.included.length === 0;
    if (lists.excludesDiscounted) this.#undiscounted.push(id);
    const namesEverything = namesNothing && lists.excluded.length === 0 && !lists.excludesDiscounted;
    if (namesNothing) (namesEverything ? this.#everything : this.#everythingElse).push(id);
    const selector = { id, ...use, namesEverything, description: describeSelector(definition) };
    this.#selectors.push(selector);
    return selector;
  }

  /** A selector that is asked by itself and has no place in the index. */
  select(definition: SelectorDefinition): LineSelector {
    const listsOf = (sort: 'included' | 'excluded'): Named[] =>
      PRODUCT_NAMES.flatMap(({ field, [sort]: list }) => {
        const names = definition[list];
        return names ? [{ field, names: new Set(names) }] : [];
      });
    const excludesDiscounted = definition.excludeDiscounted ?? false;
    return { included: listsOf('included'), excluded: listsOf('excluded'), excludesDiscounted };
  }

  build(more: Pick<SelectorIndex, 'joinsModifiers' | 'outside' | 'weighed'>): SelectorIndex {
    const indexOf = (sort: 'included' | 'excluded'): FieldIndex[] =>
      this.#fields.map(({ field, [sort]: ids }) => ({ field, ids })).filter(({ ids }) => ids.size > 0);
    return {
      selectors: this.#selectors,
      everything: this.#everything,
      everythingElse: this.#everythingElse,
      undiscounted: this.#undiscounted,
      inclusions: indexOf('included'),
      exclusions: indexOf('excluded'),
      ...more,
    };
  }
}

function register(ids: Map<string, number[]>, lists: readonly Named[], field: ProductField, id: number): void {
  for (const { names } of lists.filter((list) => list.field === field)) {
    for (const name of names) {
      const known = ids.get(name);
      if (known) known.push(id);
      else ids.set(name, [id]);
    }
  }
}

/** A selector that names nothing, in words. */
export const ANY_PRODUCT = 'any product';

function describeSelector(definition: SelectorDefinition): string {
  const { productIds, productMasterIds, productGroupIds, eans, excludeDiscounted } = definition;
  const named = [...(productGroupIds ?? []), ...(productIds ?? []), ...(productMasterIds ?? []), ...(eans ?? [])];
  const products = named.length === 0 ? ANY_PRODUCT : named.join(' or ');
  return excludeDiscounted ? `${products} without a staff discount` : products;
}
