import { isMap, isPair, isScalar, type Node, type Pair, visit } from 'yaml';
import { below } from './configuration-error.ts';

/** Texts that a `#` has cut short: with a blank before it, it begins a comment that was probably meant as text. */

export interface CutText {
  /** Offset of the value in the text of the file. */
  readonly offset: number;
  readonly path: string;
  readonly kept: string;
  readonly cut: string;
}

/** Names whose values people read. Behind them one blank before the `#` looks like text, and two like a comment. */
const READ_BY_PEOPLE = ['text', 'memberLabel', 'name', 'note'];

/** Finds values without quotes that end before a `#` which looks like a part of them. */
export function findCutTexts(root: Node | null, text: string): CutText[] {
  const found: CutText[] = [];
  visit(root, {
    Pair(_, pair, path) {
      const { key, value } = pair as Pair;
      if (!isScalar(key) || !isScalar(value) || !value.range) return;
      if (value.type !== 'PLAIN' || typeof value.value !== 'string') return;
      const [offset, end] = value.range;
      const comment = /^( +)#([^\n\r]*)/.exec(text.slice(end, end + 200));
      if (!comment) return;
      // A text by language lies one mapping deeper.
      const above = path.findLast((node) => isPair(node)) as Pair | undefined;
      const names = [key.value, isScalar(above?.key) ? above.key.value : ''];
      const isOfPeople = names.some((name) => READ_BY_PEOPLE.includes(String(name)));
      // `#1` is a number to people. A comment has a blank behind its sign, and mostly two before it.
      const looksMeant = /^[^\s#]/.test(comment[2]!) || (isOfPeople && comment[1] === ' ');
      if (!looksMeant) return;
      found.push({
        offset,
        path: pathOf([...path, pair as Pair]),
        kept: value.value,
        cut: `#${comment[2]!.trimEnd()}`,
      });
    },
  });
  return found;
}

/** `programmes[0].benefits[2].text` of the nodes that lead to a value. */
function pathOf(nodes: readonly unknown[]): string {
  let path = '';
  for (const [at, node] of nodes.entries()) {
    const above = nodes[at - 1];
    if (isPair(node)) path = below(path, String(node.key));
    else if (above && !isPair(above) && !isMap(above)) {
      path = `${path}[${(above as { items: unknown[] }).items.indexOf(node)}]`;
    }
  }
  return path;
}
