import type { BasketLine } from '@loyalty/contract/basket-request';
import { COST, type Work } from '../work.ts';
import { isDiscounted, linesOf, type Selector, type SelectorIndex } from './selector.ts';

/**
 * The lines of a basket that each selector names: a set of lines per selector, one bit a line, in one flat array. The bits
 * are plain numbers, because typed arrays have their memory outside of the heap and cost more than all the arithmetic.
 */
export interface Matches {
  /** Words of 32 lines that a set takes; the set of selector `id` begins at `id × words`. */
  readonly words: number;
  readonly bits: readonly number[];
  /** The selectors that name a line, in no order; those that name every line are not listed. */
  readonly named: readonly number[];
  /** Undefined where no line is below another, or each stands by itself. */
  readonly modified: ModifiedUnits | undefined;
}

/** The lines that stand together as units, where the programme says so. */
export interface ModifiedUnits {
  readonly families: readonly Family[];
  /** Per line whether it belongs to a line above it. */
  readonly isAttached: readonly boolean[];
}

/** A line and those below it, ascending; hidden lines and those that cost nothing are left out. */
export interface Family {
  readonly head: number;
  readonly modifiers: readonly number[];
}

/** 32 lines to a word. */
export const WORD_SHIFT = 5;
export const WORD_MASK = 31;

/** Matches every line with the selectors that name it. The work is lines × selectors at most. */
export function matchLines(index: SelectorIndex, lines: readonly BasketLine[], work: Work): Matches {
  const words = ((lines.length - 1) >> WORD_SHIFT) + 1;
  const bits = new Array<number>(index.selectors.length * words).fill(0);
  const named: number[] = [];
  const sets = { words, bits, named };
  let modified: ModifiedUnits | undefined;
  let links = bits.length;
  for (const { field, ids } of index.inclusions) {
    for (let i = 0; i < lines.length; i++) {
      const value = lines[i]![field];
      const naming = value === undefined ? undefined : ids.get(value);
      if (naming) links += addLine(sets, naming, i);
    }
  }
  for (const id of index.everything) fillSet(sets, id, lines.length);
  for (const id of index.everythingElse) fillSet(sets, id, lines.length);
  for (const id of index.everythingElse) named.push(id);
  links += removeExcluded(index, lines, sets);
  if (index.undiscounted.length > 0) links += removeDiscounted(index, lines, sets);
  const hidden = hiddenLines(index, lines);
  if (hidden) links += hide(hidden, sets) + lines.length;
  if (index.joinsModifiers && lines.some(({ parentLineId }) => parentLineId)) {
    modified = familiesOf(lines, hidden);
    links += (index.selectors.length + 1) * lines.length;
    for (const { id, isOfUnits } of index.selectors) if (isOfUnits) joinModifiers(modified, sets, id);
  }
  work.count(links * COST.match);
  return { ...sets, modified };
}

type Sets = { readonly words: number; readonly bits: number[]; readonly named: number[] };

/** Adds a line to the sets of these selectors. Like all steps of matching it answers how much it looked at. */
function addLine({ words, bits, named }: Sets, ids: readonly number[], line: number): number {
  const bit = 1 << (line & WORD_MASK);
  const word = line >> WORD_SHIFT;
  for (let k = 0; k < ids.length; k++) {
    const id = ids[k]!;
    const at = id * words + word;
    // A selector may be listed twice, and an exclusion may leave it without lines. Readers of the list look at the sets too.
    if (bits[at] === 0) named.push(id);
    bits[at]! |= bit;
  }
  return ids.length;
}

function fillSet({ words, bits }: Sets, id: number, lines: number): void {
  for (let word = 0; word < words; word++) bits[id * words + word] = -1;
  const rest = lines & WORD_MASK;
  if (rest > 0) bits[id * words + words - 1] = (1 << rest) - 1;
}

function removeExcluded({ exclusions }: SelectorIndex, lines: readonly BasketLine[], sets: Sets): number {
  const { words, bits } = sets;
  let links = 0;
  for (const { field, ids } of exclusions) {
    for (let i = 0; i < lines.length; i++) {
      const value = lines[i]![field];
      const leaving = value === undefined ? undefined : ids.get(value);
      if (!leaving) continue;
      const mask = ~(1 << (i & WORD_MASK));
      for (const id of leaving) bits[id * words + (i >> WORD_SHIFT)]! &= mask;
      links += leaving.length;
    }
  }
  return links;
}

function removeDiscounted({ undiscounted }: SelectorIndex, lines: readonly BasketLine[], sets: Sets): number {
  const { words, bits } = sets;
  for (let i = 0; i < lines.length; i++) {
    if (!isDiscounted(lines[i]!)) continue;
    const mask = ~(1 << (i & WORD_MASK));
    for (const id of undiscounted) bits[id * words + (i >> WORD_SHIFT)]! &= mask;
  }
  return undiscounted.length * lines.length;
}

/** Per line whether the programme leaves it out. Undefined when it leaves out none. */
function hiddenLines({ outside }: SelectorIndex, lines: readonly BasketLine[]): boolean[] | undefined {
  const isHidden = outside && linesOf(outside, lines);
  return isHidden?.includes(true) ? isHidden : undefined;
}

function hide(isHidden: readonly boolean[], { words, bits }: Sets): number {
  const kept = new Array<number>(words).fill(-1);
  for (const [i, hidden] of isHidden.entries()) if (hidden) kept[i >> WORD_SHIFT]! &= ~(1 << (i & WORD_MASK));
  for (let at = 0; at < bits.length; at++) bits[at]! &= kept[at % words]!;
  return bits.length;
}

/** The lines with all that is below them, at any depth. */
function familiesOf(lines: readonly BasketLine[], isHidden: readonly boolean[] | undefined): ModifiedUnits {
  const indices = new Map(lines.map((line, i) => [line.lineId, i]));
  const parents = lines.map(({ parentLineId }) => (parentLineId ? indices.get(parentLineId) : undefined));
  const isAttached = parents.map((parent) => parent !== undefined);
  const heads = headsOf(parents);
  const isModifier = (i: number): boolean => isAttached[i]! && lines[i]!.originalLinePrice > 0 && !isHidden?.[i];
  const byHead = Map.groupBy(
    lines.flatMap((_, i) => (isModifier(i) ? i : [])),
    (i) => heads[i]!,
  );
  return { families: [...byHead].map(([head, modifiers]) => ({ head, modifiers })), isAttached };
}

/** A benefit at line level sees modifiers where it sees their head, and nowhere else. */
function joinModifiers({ families, isAttached }: ModifiedUnits, { words, bits }: Sets, id: number): void {
  const from = id * words;
  const set = (line: number, isSet: boolean): void => {
    const bit = 1 << (line & WORD_MASK);
    const at = from + (line >> WORD_SHIFT);
    bits[at] = isSet ? bits[at]! | bit : bits[at]! & ~bit;
  };
  isAttached.forEach((attached, line) => {
    if (attached) set(line, false);
  });
  for (const { head, modifiers } of families) {
    if ((bits[from + (head >> WORD_SHIFT)]! & (1 << (head & WORD_MASK))) === 0) continue;
    for (const line of modifiers) set(line, true);
  }
}

/** Per line the topmost line above it, or itself. A circle of parents is refused long before. */
function headsOf(parents: readonly (number | undefined)[]): number[] {
  const heads = new Array<number | undefined>(parents.length).fill(undefined);
  for (const line of parents.keys()) {
    const path = [line];
    for (let above = parents[line]; above !== undefined; above = parents[above]) {
      path.push(above);
      if (heads[above] !== undefined || path.length > parents.length) break;
    }
    const top = path.at(-1)!;
    for (const below of path) heads[below] = heads[top] ?? top;
  }
  return heads as number[];
}

/** The lines of one selector as a list, ascending. */
export function matchedLines({ words, bits }: Matches, { id }: Selector): number[] {
  const lines: number[] = [];
  for (let word = 0; word < words; word++) {
    for (let left = bits[id * words + word]!; left !== 0; left &= left - 1) {
      lines.push((word << WORD_SHIFT) + WORD_MASK - Math.clz32(left & -left));
    }
  }
  return lines;
}

export function namesALine({ words, bits }: Matches, { id }: Selector): boolean {
  for (let at = id * words; at < (id + 1) * words; at++) if (bits[at] !== 0) return true;
  return false;
}

export function nameSameLines({ words, bits }: Matches, a: Selector, b: Selector): boolean {
  for (let word = 0; word < words; word++) if (bits[a.id * words + word] !== bits[b.id * words + word]) return false;
  return true;
}

/** Equal for selectors that name the same lines, different for others. */
export function setKey({ words, bits }: Matches, { id }: Selector): number | string {
  return words === 1 ? bits[id]! : bits.slice(id * words, (id + 1) * words).join();
}
