import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type YAMLError,
  type YAMLMap,
} from 'yaml';
import { type LocatedFault, type Place, show } from './configuration-error.ts';
import { findCutTexts } from './cut-texts.ts';
import type { SourceFile } from './source.ts';
import type { EncodingError } from './text-encoding.ts';
import { lineOf, unknownAlias, wordsOf, type YamlWords } from './yaml-words.ts';

/** One YAML file: its value, its own faults, and where each of its values stands. Merge keys (`<<`) are merged. */
export interface YamlFile {
  readonly name: string;
  /** Undefined when the file has faults. */
  readonly value: unknown;
  readonly faults: readonly LocatedFault[];
  /**
   * Line and column, from 1, of the value at a path such as `venues[0].programmeId`; of a missing value those of the
   * mapping that lacks it. With `key` those of that name in the mapping at the path.
   */
  positionOf(path: string, key?: string): { readonly line: number; readonly column: number };
  /** The number, true or false at a path as it is written, `25.00` or `0042`; undefined where there is none. */
  writtenAt(path: string): string | undefined;
  /** Where the value at a path is written, from the first character to that behind the last, also by an alias. */
  rangeOf(path: string): readonly [start: number, end: number];
  /** Warnings about the writing itself: a `#` that cut a text. Looked for when asked, since a start does not need them. */
  findWritingWarnings(): readonly LocatedWarning[];
}

/** Something in a file without faults that is probably not meant, with its place. Plain data. */
export interface LocatedWarning extends Place {
  readonly text: string;
}

/** Values that aliases and merge keys may add to those that are written; more is an attack or a mistake. */
const MAX_ADDED_VALUES = 1_000_000;

export function parseYamlFile({ name, text, encodingError }: SourceFile): YamlFile {
  if (encodingError) return unreadableFile(name, encodingError);

  const lines = new LineCounter();
  const document = parseDocument(text, { prettyErrors: false, merge: true, lineCounter: lines });
  const root = document.contents as Node | null;
  const place = ({ found, allowed, offset }: YamlWords): LocatedFault => {
    const position = lineOf(lines, offset);
    return { file: name, ...position, path: `line ${position.line}`, found, allowed };
  };
  const faults: LocatedFault[] = firstErrors(document.errors).map((error) => place(wordsOf(error, text)));
  const targets = new Map<Node, Node>();
  const lost: YamlWords[] = [];
  if (faults.length === 0 && addedValues(root, targets, lost) > MAX_ADDED_VALUES) {
    const found = 'aliases or merge keys that repeat too much, or contain themselves';
    faults.push({ file: name, path: '', found, allowed: `at most ${MAX_ADDED_VALUES} values by repetition` });
  }
  for (const words of lost) faults.push(place(words));
  const value = faults.length === 0 ? readValue(document, name, faults) : undefined;
  return {
    name,
    value,
    faults,
    positionOf: (path, key) => lineOf(lines, root === null ? 0 : findOffset(root, path, key, targets)),
    writtenAt: (path) => (root === null ? undefined : findWritten(root, path, targets)),
    rangeOf(path) {
      const { node } = follow(root!, path, targets);
      const [start, end] = (targets.get(node) ?? node).range!;
      return [start, end];
    },
    findWritingWarnings: () =>
      findCutTexts(root, text).map(({ offset, path, kept, cut }) => ({
        file: name,
        ...lineOf(lines, offset),
        path,
        text: `the text ends before ${show(cut)}, which is a comment: write ${show(`${kept} ${cut}`)} with its quotes, or two blanks before # of a comment`,
      })),
  };
}

/** A file that is not UTF-8: what it says beside is not looked at. */
function unreadableFile(name: string, { line, column, found, allowed }: EncodingError): YamlFile {
  return {
    name,
    value: undefined,
    faults: [{ file: name, line, column, path: `line ${line}`, found, allowed }],
    positionOf: () => ({ line, column }),
    writtenAt: () => undefined,
    rangeOf: () => [0, 0],
    findWritingWarnings: () => [],
  };
}

/** A tab is why what follows reads as nonsense. */
function firstErrors(errors: readonly YAMLError[]): readonly YAMLError[] {
  const tabs = errors.filter(({ code }) => code === 'TAB_AS_INDENT');
  return tabs.length > 0 ? tabs : errors;
}

/** The value of a document. Merge keys with something that is no mapping are refused by the reader, and noted as a fault. */
function readValue(document: Document, file: string, faults: LocatedFault[]): unknown {
  try {
    return document.toJS({ maxAliasCount: -1 });
  } catch {
    faults.push({
      file,
      path: '',
      found: 'a merge key << whose value is not a mapping',
      allowed: '<<: *name, where &name stands at a mapping',
    });
    return undefined;
  }
}

/**
 * Counts the values that aliases add, and notes the target of each alias: the last anchor of its name that stands
 * before it. An alias within its own anchor counts as infinitely many. Notes an alias without an anchor as `lost`.
 */
function addedValues(root: Node | null, targets: Map<Node, Node>, lost: YamlWords[]): number {
  const anchors = new Map<string, Node>();
  const sizes = new Map<Node, number>();
  let added = 0;
  const measure = (node: unknown): number => {
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target === undefined) {
        lost.push(unknownAlias(node.source, offsetOf(node)));
        return 1;
      }
      targets.set(node, target);
      const size = sizes.get(target) ?? Number.POSITIVE_INFINITY;
      added += size;
      return size;
    }
    // A name without a colon has no value.
    const anchor = (node as { readonly anchor?: string } | null)?.anchor;
    if (anchor !== undefined) anchors.set(anchor, node as Node);
    let size = 1;
    if (isSeq(node)) for (const item of node.items) size += measure(item);
    if (isMap(node)) for (const { key, value } of node.items) size += measure(key) + measure(value);
    sizes.set(node as Node, size);
    return size;
  };
  measure(root);
  return added;
}

/** Follows a path as far as it goes, through aliases and merge keys. */
function follow(root: Node, path: string, targets: ReadonlyMap<Node, Node>): { node: Node; rest: string } {
  let place = { node: root, rest: path };
  while (place.rest !== '') {
    const step = findStep(targets.get(place.node) ?? place.node, place.rest, targets);
    if (step === undefined) break;
    place = step;
  }
  return place;
}

function findWritten(root: Node, path: string, targets: ReadonlyMap<Node, Node>): string | undefined {
  const { node, rest } = follow(root, path, targets);
  const target = targets.get(node) ?? node;
  if (rest !== '' || !isScalar(target) || !/number|boolean/.test(typeof target.value)) return undefined;
  return target.source;
}

function findOffset(root: Node, path: string, key: string | undefined, targets: ReadonlyMap<Node, Node>): number {
  const { node, rest } = follow(root, path, targets);
  if (rest !== '') return offsetOf(node);
  const named = pairsOf(targets.get(node) ?? node, targets).find((pair) => nameOf(pair) === key);
  return offsetOf((named?.key as Node | undefined) ?? node);
}

/** Takes one name or index off the path. Names may contain dots, so the longest name that fits is taken. */
function findStep(
  node: Node,
  rest: string,
  targets: ReadonlyMap<Node, Node>,
): { node: Node; rest: string } | undefined {
  const index = /^\[(\d+)\]\.?/.exec(rest);
  if (isSeq(node) && index) {
    const item = node.items[Number(index[1])] as Node | undefined;
    return item && { node: item, rest: rest.slice(index[0].length) };
  }
  let best: { node: Node; rest: string; length: number } | undefined;
  for (const pair of pairsOf(node, targets)) {
    const name = nameOf(pair);
    if (!rest.startsWith(name) || (best && name.length <= best.length) || !pair.value) continue;
    const after = rest.slice(name.length);
    if (after !== '' && !/^[.[]/.test(after)) continue;
    best = { node: pair.value as Node, rest: after.replace(/^\./, ''), length: name.length };
  }
  return best;
}

/** The pairs of a mapping, its own before those that it merges. */
function pairsOf(node: Node, targets: ReadonlyMap<Node, Node>): Pair[] {
  if (!isMap(node)) return [];
  const isMerge = ({ key }: Pair) => isScalar(key) && typeof key.value === 'symbol';
  const merged = (node as YAMLMap).items.filter(isMerge).flatMap(({ value }) => {
    const source = targets.get(value as Node) ?? value;
    const maps = isSeq(source) ? source.items : [source];
    return maps.flatMap((map) => pairsOf((targets.get(map as Node) ?? map) as Node, targets));
  });
  return [...(node as YAMLMap).items, ...merged];
}

function nameOf({ key }: Pair): string {
  return String(isScalar(key) ? key.value : key);
}

function offsetOf(node: Node): number {
  return node.range![0];
}
