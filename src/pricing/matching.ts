import type { BasketLine } from '../contract/basket-request.ts';
import type { Selector, SelectorIndex } from './selector.ts';

/**
 * Which selector names which lines of a basket: one linked list of lines per selector, ascending, in three flat arrays.
 * Lists of objects cost more here than all the arithmetic that follows, and so would typed arrays, whose memory lies
 * outside of the heap.
 */
export interface Matches {
  /** Per selector the first link, or −1. */
  readonly head: number[];
  /** Per link the next one, or −1. */
  readonly next: number[];
  /** Per link the index of the line. */
  readonly line: number[];
  /** The selectors that name a line, in no order; those that name every line are not listed. */
  readonly named: readonly number[];
}

const NOTHING: readonly number[] = [];

/** Matches every line with the selectors that name it. The work is lines × matching selectors. */
export function matchLines(index: SelectorIndex, lines: readonly BasketLine[]): Matches {
  const candidates: (readonly number[])[] = [];
  let capacity = (index.withModifiers.length + 1) * lines.length;
  for (const line of lines) {
    const from = candidates.length;
    addCandidates(index, line, candidates);
    for (let c = from; c < candidates.length; c++) capacity += candidates[c]!.length;
  }

  const head = new Array<number>(index.selectors.length).fill(-1);
  const next = new Array<number>(capacity).fill(-1);
  const lineOf = new Array<number>(capacity).fill(0);
  const named: number[] = [];
  let links = 0;
  if (index.everything.length > 0) {
    // All selectors that take every line share one list.
    for (; links < lines.length; links++) {
      lineOf[links] = links;
      next[links] = links + 1 < lines.length ? links + 1 : -1;
    }
    for (const id of index.everything) head[id] = 0;
  }
  // From the last line to the first, because a link is put before the ones already there.
  for (let i = lines.length - 1; i >= 0; i--) {
    const { productId } = lines[i]!;
    for (let c = i * FIELDS; c < (i + 1) * FIELDS; c++) {
      const ids = candidates[c]!;
      for (let k = 0; k < ids.length; k++) {
        const id = ids[k]!;
        const first = head[id]!;
        // Two fields of one line may name the same selector.
        if (first >= 0 && lineOf[first] === i) continue;
        if (isExcluded(index.selectors[id]!, productId)) continue;
        if (first < 0) named.push(id);
        lineOf[links] = i;
        next[links] = first;
        head[id] = links++;
      }
    }
  }
  const matches = { head, next, line: lineOf, named };
  if (index.withModifiers.length > 0) addModifiers(index.withModifiers, lines, matches, links);
  return matches;
}

const FIELDS = 5;

function addCandidates(index: SelectorIndex, line: BasketLine, candidates: (readonly number[])[]): void {
  candidates.push(
    index.everythingElse,
    lookUp(index.byProductId, line.productId),
    lookUp(index.byProductMasterId, line.productMasterId),
    lookUp(index.byProductGroupId, line.productGroupId),
    lookUp(index.byEan, line.ean),
  );
}

/** Hashing a text costs more than the rest of matching a line, so a map that no selector uses is not asked. */
function lookUp(map: ReadonlyMap<string, readonly number[]>, value: string | undefined): readonly number[] {
  return value === undefined || map.size === 0 ? NOTHING : (map.get(value) ?? NOTHING);
}

function isExcluded({ excluded }: Selector, productId: string): boolean {
  return excluded.size > 0 && excluded.has(productId);
}

/** Adds the lines below selected lines, at any depth, and rebuilds those lists in the order of the lines. */
function addModifiers(
  selectors: readonly Selector[],
  lines: readonly BasketLine[],
  matches: Matches,
  firstFreeLink: number,
): void {
  const parents = parentIndices(lines);
  if (parents.every((parent) => parent < 0)) return;
  let links = firstFreeLink;
  for (const selector of selectors) {
    const selected = new Set(matchedLines(matches, selector));
    let head = -1;
    for (let i = lines.length - 1; i >= 0; i--) {
      if (!selected.has(i) && !(isBelow(i, selected, parents) && !isExcluded(selector, lines[i]!.productId))) continue;
      matches.line[links] = i;
      matches.next[links] = head;
      head = links++;
    }
    matches.head[selector.id] = head;
  }
}

/** Per line the index of its parent line, or −1. */
export function parentIndices(lines: readonly BasketLine[]): number[] {
  const indices = new Map(lines.map((line, i) => [line.lineId, i]));
  return lines.map(({ parentLineId }) => (parentLineId === undefined ? -1 : (indices.get(parentLineId) ?? -1)));
}

/** A circle of parents is refused long before; the steps are counted all the same, so that none could hold us here. */
function isBelow(line: number, selected: ReadonlySet<number>, parents: readonly number[]): boolean {
  let ancestor = parents[line]!;
  for (let steps = 0; ancestor >= 0 && steps < parents.length; steps++) {
    if (selected.has(ancestor)) return true;
    ancestor = parents[ancestor]!;
  }
  return false;
}

/** The lines of one selector as a list, ascending. */
export function matchedLines(matches: Matches, selector: Selector): number[] {
  const lines: number[] = [];
  for (let link = matches.head[selector.id]!; link >= 0; link = matches.next[link]!) lines.push(matches.line[link]!);
  return lines;
}
