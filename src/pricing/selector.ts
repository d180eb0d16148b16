/** Which lines a benefit looks at. Selectors are turned inside out at load: from a product to the selectors that name it. */

export interface SelectorDefinition {
  readonly productIds?: readonly string[];
  readonly productMasterIds?: readonly string[];
  readonly productGroupIds?: readonly string[];
  readonly eans?: readonly string[];
  readonly excludeProductIds?: readonly string[];
  readonly includeModifiers?: boolean;
}

export interface Selector {
  /** Place in the index; the lines of a basket that match are kept under this number. */
  readonly id: number;
  readonly excluded: ReadonlySet<string>;
  /** The benefit takes a percentage off what the selector names, so `noPercentageDiscount` lines do not count. */
  readonly isPercentage: boolean;
  /** Names every line of every basket. */
  readonly namesEverything: boolean;
  /** Takes the lines below a selected line along. */
  readonly includesModifiers: boolean;
  /** The names in the selector, for people: `coffee or tea`. */
  readonly description: string;
}

export interface SelectorIndex {
  readonly selectors: readonly Selector[];
  readonly withModifiers: readonly Selector[];
  /** Selectors of every line. `everythingElse` are those of every line but some products. */
  readonly everything: readonly number[];
  readonly everythingElse: readonly number[];
  readonly byProductId: ReadonlyMap<string, readonly number[]>;
  readonly byProductMasterId: ReadonlyMap<string, readonly number[]>;
  readonly byProductGroupId: ReadonlyMap<string, readonly number[]>;
  readonly byEan: ReadonlyMap<string, readonly number[]>;
  readonly byExcludedProductId: ReadonlyMap<string, readonly number[]>;
}

/** How the texts of a selector are spelled, so that they equal those of a basket; undefined for one that no basket can have. */
export type Spelling = (text: string) => string | undefined;

/** Collects the selectors of a programme at load. A selector that names nothing to include takes every line. */
export class SelectorIndexBuilder {
  readonly #spell: Spelling;
  readonly #selectors: Selector[] = [];
  readonly #everything: number[] = [];
  readonly #everythingElse: number[] = [];
  readonly #byProductId = new Map<string, number[]>();
  readonly #byProductMasterId = new Map<string, number[]>();
  readonly #byProductGroupId = new Map<string, number[]>();
  readonly #byEan = new Map<string, number[]>();
  readonly #byExcludedProductId = new Map<string, number[]>();

  constructor(spell: Spelling) {
    this.#spell = spell;
  }

  add(definition: SelectorDefinition, isPercentage: boolean): Selector {
    const id = this.#selectors.length;
    const { productIds, productMasterIds, productGroupIds, eans, excludeProductIds } = this.#spelled(definition);
    const excluded = new Set(excludeProductIds ?? []);
    const namesNothing = !productIds && !productMasterIds && !productGroupIds && !eans;
    const selector: Selector = {
      id,
      excluded,
      isPercentage,
      namesEverything: namesNothing && excluded.size === 0,
      includesModifiers: definition.includeModifiers ?? false,
      description: describeSelector(definition),
    };
    this.#selectors.push(selector);
    if (namesNothing) (selector.namesEverything ? this.#everything : this.#everythingElse).push(id);
    register(this.#byProductId, productIds, id);
    register(this.#byProductMasterId, productMasterIds, id);
    register(this.#byProductGroupId, productGroupIds, id);
    register(this.#byEan, eans, id);
    register(this.#byExcludedProductId, excludeProductIds, id);
    return selector;
  }

  /** Every list of texts that is compared with those of a basket. */
  #spelled(definition: SelectorDefinition): SelectorDefinition {
    const lists = Object.entries(definition).map(([name, value]) => {
      return [
        name,
        Array.isArray(value) ? value.map(this.#spell).filter((text) => text !== undefined) : value,
      ] as const;
    });
    return Object.fromEntries(lists);
  }

  build(): SelectorIndex {
    return {
      selectors: this.#selectors,
      withModifiers: this.#selectors.filter((selector) => selector.includesModifiers),
      everything: this.#everything,
      everythingElse: this.#everythingElse,
      byProductId: this.#byProductId,
      byProductMasterId: this.#byProductMasterId,
      byProductGroupId: this.#byProductGroupId,
      byEan: this.#byEan,
      byExcludedProductId: this.#byExcludedProductId,
    };
  }
}

function register(map: Map<string, number[]>, values: readonly string[] | undefined, id: number): void {
  for (const value of new Set(values)) {
    const ids = map.get(value);
    if (ids) ids.push(id);
    else map.set(value, [id]);
  }
}

function describeSelector({ productIds, productMasterIds, productGroupIds, eans }: SelectorDefinition): string {
  const named = [...(productGroupIds ?? []), ...(productIds ?? []), ...(productMasterIds ?? []), ...(eans ?? [])];
  return named.length === 0 ? 'any product' : named.join(' or ');
}
