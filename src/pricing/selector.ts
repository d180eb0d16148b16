import type { BasketLine } from '../contract/basket-request.ts';

/** Which lines a benefit looks at. Selectors are turned inside out at load: from a product to the selectors that name it. */

export interface SelectorDefinition {
  readonly productIds?: readonly string[];
  readonly productMasterIds?: readonly string[];
  readonly productGroupIds?: readonly string[];
  readonly eans?: readonly string[];
  readonly excludeProductIds?: readonly string[];
}

export interface Selector {
  /** Place in the index; the lines of a basket that match are kept under this number. */
  readonly id: number;
  readonly excluded: ReadonlySet<string>;
}

export interface SelectorIndex {
  readonly selectors: readonly Selector[];
  readonly everything: readonly number[];
  readonly byProductId: ReadonlyMap<string, readonly number[]>;
  readonly byProductMasterId: ReadonlyMap<string, readonly number[]>;
  readonly byProductGroupId: ReadonlyMap<string, readonly number[]>;
  readonly byEan: ReadonlyMap<string, readonly number[]>;
}

/** Collects the selectors of a programme at load. A selector that names nothing to include takes every line. */
export class SelectorIndexBuilder {
  readonly #selectors: Selector[] = [];
  readonly #everything: number[] = [];
  readonly #byProductId = new Map<string, number[]>();
  readonly #byProductMasterId = new Map<string, number[]>();
  readonly #byProductGroupId = new Map<string, number[]>();
  readonly #byEan = new Map<string, number[]>();

  add(definition: SelectorDefinition = {}): Selector {
    const id = this.#selectors.length;
    const selector: Selector = { id, excluded: new Set(definition.excludeProductIds ?? []) };
    this.#selectors.push(selector);
    const { productIds, productMasterIds, productGroupIds, eans } = definition;
    if (!productIds && !productMasterIds && !productGroupIds && !eans) this.#everything.push(id);
    register(this.#byProductId, productIds, id);
    register(this.#byProductMasterId, productMasterIds, id);
    register(this.#byProductGroupId, productGroupIds, id);
    register(this.#byEan, eans, id);
    return selector;
  }

  build(): SelectorIndex {
    return {
      selectors: this.#selectors,
      everything: this.#everything,
      byProductId: this.#byProductId,
      byProductMasterId: this.#byProductMasterId,
      byProductGroupId: this.#byProductGroupId,
      byEan: this.#byEan,
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

/** For every selector the indices of the matching lines, ascending. The work is lines × matching selectors. */
export function matchLines(index: SelectorIndex, lines: readonly BasketLine[]): readonly number[][] {
  const matches: number[][] = index.selectors.map(() => []);
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] as BasketLine;
    addMatches(index, matches, index.everything, line, i);
    addMatches(index, matches, index.byProductId.get(line.productId), line, i);
    if (line.productMasterId !== undefined) {
      addMatches(index, matches, index.byProductMasterId.get(line.productMasterId), line, i);
    }
    if (line.productGroupId !== undefined) {
      addMatches(index, matches, index.byProductGroupId.get(line.productGroupId), line, i);
    }
    if (line.ean !== undefined) addMatches(index, matches, index.byEan.get(line.ean), line, i);
  }
  return matches;
}

function addMatches(
  index: SelectorIndex,
  matches: number[][],
  ids: readonly number[] | undefined,
  line: BasketLine,
  i: number,
): void {
  if (!ids) return;
  for (const id of ids) {
    const matching = matches[id] as number[];
    if (matching[matching.length - 1] === i) continue;
    if ((index.selectors[id] as Selector).excluded.has(line.productId)) continue;
    matching.push(i);
  }
}
