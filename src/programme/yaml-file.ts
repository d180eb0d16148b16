import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument, type YAMLMap } from 'yaml';
import { type LocatedFault, oneLine } from './configuration-error.ts';
import type { SourceFile } from './source.ts';

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
}

/** Values that aliases and merge keys may add to those that are written; more is an attack or a mistake. */
const MAX_ADDED_VALUES = 1_000_000;

export function parseYamlFile({ name, text }: SourceFile): YamlFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { prettyErrors: true, uniqueKeys: true, merge: true, lineCounter: lines });
  const root = document.contents as Node | null;
  const faults: LocatedFault[] = document.errors.map(({ message, linePos }) => ({
    file: name,
    ...(linePos && { line: linePos[0].line, column: linePos[0].col }),
    path: linePos ? `line ${linePos[0].line}` : '',
    found: oneLine((message.split('\n')[0] as string).replace(/ at line \d+, column \d+:?$/, '')),
    allowed: 'YAML 1.2',
  }));
  const targets = new Map<Node, Node>();
  if (faults.length === 0 && root !== null && addedValues(root, targets) > MAX_ADDED_VALUES) {
    const found = 'aliases or merge keys that repeat too much, or contain themselves';
    faults.push({ file: name, path: '', found, allowed: `at most ${MAX_ADDED_VALUES} values by repetition` });
  }
  return {
    name,
    value: faults.length === 0 ? document.toJS({ maxAliasCount: -1 }) : undefined,
    faults,
    positionOf(path, key) {
      const offset = root === null ? 0 : findOffset(root, path, key, targets);
      const { line, col } = lines.linePos(offset);
      return { line: Math.max(1, line), column: Math.max(1, col) };
    },
  };
}

/**
 * Counts the values that aliases add, and notes the target of each alias: the last anchor of its name that stands
 * before it. An alias within its own anchor counts as infinitely many.
 */
function addedValues(root: Node, targets: Map<Node, Node>): number {
  const anchors = new Map<string, Node>();
  const sizes = new Map<Node, number>();
  let added = 0;
  const measure = (node: unknown): number => {
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target === undefined) return 1;
      targets.set(node, target);
      const size = sizes.get(target) ?? Number.POSITIVE_INFINITY;
      added += size;
      return size;
    }
    if (isScalar(node) || isMap(node) || isSeq(node)) if (node.anchor) anchors.set(node.anchor, node);
    let size = 1;
    if (isSeq(node)) for (const item of node.items) size += measure(item);
    if (isMap(node)) for (const { key, value } of node.items) size += measure(key) + measure(value);
    sizes.set(node as Node, size);
    return size;
  };
  measure(root);
  return added;
}

/** Follows a path as far as it goes, through aliases and merge keys. Returns an offset in the text. */
function findOffset(root: Node, path: string, key: string | undefined, targets: ReadonlyMap<Node, Node>): number {
  let node = root;
  let rest = path;
  while (rest !== '') {
    const step = findStep(targets.get(node) ?? node, rest, targets);
    if (step === undefined) return offsetOf(node);
    node = step.node;
    rest = step.rest;
  }
  if (key === undefined) return offsetOf(node);
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
  const own = (node as YAMLMap).items.filter((pair) => !isMerge(pair));
  const merged = (node as YAMLMap).items.filter(isMerge).flatMap(({ value }) => {
    const source = targets.get(value as Node) ?? value;
    const maps = isSeq(source) ? source.items : [source];
    return maps.flatMap((map) => pairsOf((targets.get(map as Node) ?? map) as Node, targets));
  });
  return [...own, ...merged];
}

function nameOf({ key }: Pair): string {
  return String(isScalar(key) ? key.value : key);
}

function offsetOf(node: Node): number {
  return node.range?.[0] ?? 0;
}
