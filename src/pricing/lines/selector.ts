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
}

/** The ways in which a selector names products: the list that takes lines, the list that leaves lines out, the line's field. */
export const PRODUCT_NAMES = [
  { included: 'productIds', excluded: 'excludeProductIds', field: 'productId' },
  { included: 'productMasterIds', excluded: 'excludeProductMasterIds', field: 'productMasterId' },
  { included: 'productGroupIds', excluded: 'excludeProductGroupIds', field: 'productGroupId' },
  { included: 'eans', excluded: 'excludeEans', field: 'ean' },
] as const;

type ProductField = (typeof PRODUCT_NAMES)[number]['field'];
type NamedProduct = { readonly [Field in ProductField]?: string };

/** The products that one list names. */
interface Named {
  readonly field: ProductField;
  readonly names: ReadonlySet<string>;
}

/** True where any of the lists names the product of the line. */
export function isNamedBy(lists: readonly Named[], line: NamedProduct): boolean {
  return lists.some(({ field, names }) => {
    const value = line[field];
    return value !== undefined && names.has(value);
  });
}

export interface Selector {
  /** Place in the index; the lines of a basket that match are kept under this number. */
  readonly id: number;
  /** The products that it leaves out; mostly none. */
  readonly excluded: readonly Named[];
  /** The benefit takes a percentage off what the selector names, so `noPercentageDiscount` lines do not count. */
  readonly isPercentage: boolean;
  /** Names every line of every basket. */
  readonly namesEverything: boolean;
  /** Of a benefit at line level, which sees a line and the lines below it as one where the programme says so. */
  readonly isOfUnits: boolean;
  /** The names in the selector, for people: `coffee or tea`. */
  readonly description: string;
}

/** Lines that no benefit sees, that are never cut into units, or that hold a product. */
export interface LineSelector {
  /** Without a list every line that is not excluded. */
  readonly included: readonly Named[];
  readonly excluded: readonly Named[];
}

export interface SelectorIndex {
  readonly selectors: readonly Selector[];
  /** A line and the lines below it are one unit for benefits at line level. */
  readonly joinsModifiers: boolean;
  /** Selectors of every line. `everythingElse` are those of every line but some products. */
  readonly everything: readonly number[];
  readonly everythingElse: readonly number[];
  readonly byProductId: ReadonlyMap<string, readonly number[]>;
  readonly byProductMasterId: ReadonlyMap<string, readonly number[]>;
  readonly byProductGroupId: ReadonlyMap<string, readonly number[]>;
  readonly byEan: ReadonlyMap<string, readonly number[]>;
  /** The selectors that leave a product out, for every field by which any of them does. */
  readonly exclusions: readonly {
    readonly field: ProductField;
    readonly ids: ReadonlyMap<string, readonly number[]>;
  }[];
  /** Lines that no benefit sees, and lines that are never cut into units. */
  readonly outside: LineSelector | undefined;
  readonly weighed: LineSelector | undefined;
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
  readonly #exclusions = PRODUCT_NAMES.map(({ excluded, field }) => ({
    excluded,
    field,
    ids: new Map<string, number[]>(),
  }));
  #outside: LineSelector | undefined;
  #weighed: LineSelector | undefined;

  readonly #joinsModifiers: boolean;

  constructor(spell: Spelling, joinsModifiers: boolean) {
    this.#spell = spell;
    this.#joinsModifiers = joinsModifiers;
  }

  add(definition: SelectorDefinition, isPercentage: boolean, isOfUnits: boolean): Selector {
    const id = this.#selectors.length;
    const spelled = this.#spelled(definition);
    const { productIds, productMasterIds, productGroupIds, eans } = spelled;
    const excluded = listsOf(spelled, 'excluded');
    const namesNothing = !productIds && !productMasterIds && !productGroupIds && !eans;
    const selector: Selector = {
      id,
      excluded,
      isPercentage,
      namesEverything: namesNothing && excluded.length === 0,
      isOfUnits,
      description: describeSelector(definition),
    };
    this.#selectors.push(selector);
    if (namesNothing) (selector.namesEverything ? this.#everything : this.#everythingElse).push(id);
    register(this.#byProductId, productIds, id);
    register(this.#byProductMasterId, productMasterIds, id);
    register(this.#byProductGroupId, productGroupIds, id);
    register(this.#byEan, eans, id);
    for (const { excluded: list, ids } of this.#exclusions) register(ids, spelled[list], id);
    return selector;
  }

  /** Hides the lines that the selector takes from all others. */
  exclude(definition: SelectorDefinition): void {
    this.#outside = this.select(definition);
  }

  /** Leaves the lines that the selector takes in one piece. */
  weigh(definition: SelectorDefinition): void {
    this.#weighed = this.select(definition);
  }

  /** A selector that is asked by itself and has no place in the index. */
  select(definition: SelectorDefinition): LineSelector {
    const spelled = this.#spelled(definition);
    return {
      included: listsOf(spelled, 'included'),
      excluded: listsOf(spelled, 'excluded'),
    };
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
      joinsModifiers: this.#joinsModifiers,
      everything: this.#everything,
      everythingElse: this.#everythingElse,
      byProductId: this.#byProductId,
      byProductMasterId: this.#byProductMasterId,
      byProductGroupId: this.#byProductGroupId,
      byEan: this.#byEan,
      exclusions: this.#exclusions.filter(({ ids }) => ids.size > 0).map(({ field, ids }) => ({ field, ids })),
      outside: this.#outside,
      weighed: this.#weighed,
    };
  }
}

/** The lists of a selector that take lines, or that leave lines out. */
function listsOf(definition: SelectorDefinition, sort: 'included' | 'excluded'): Named[] {
  return PRODUCT_NAMES.flatMap(({ field, [sort]: list }) => {
    const names = definition[list];
    return names ? [{ field, names: new Set(names) }] : [];
  });
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
