import { isMap, type Node, parseDocument } from 'yaml';

/** The `note` at the top of a configuration file, in the words of whoever changed it. */

/** True when the file has a note of its own. */
export function hasNote(text: string): boolean {
  return findNote(text) !== undefined;
}

/** The file with this note, and every other character as it was. The file must be a mapping without errors. */
export function withNote(text: string, note: string): string {
  const words = JSON.stringify(note);
  const range = findNote(text);
  if (range) {
    const [from, to] = range;
    // A text over several lines ends with its line break.
    const end = text.slice(from, to).endsWith('\n') ? '\n' : '';
    return `${text.slice(0, from)}${words}${end}${text.slice(to)}`;
  }
  const root = parseDocument(text).contents;
  const first = isMap(root) ? (root.items[0]?.key as Node | undefined) : undefined;
  const at = first?.range?.[0] ?? 0;
  const isFlow = isMap(root) && root.flow === true;
  return `${text.slice(0, at)}${isFlow ? `"note": ${words}, ` : `note: ${words}\n`}${text.slice(at)}`;
}

/** Where the value of the note begins and ends; undefined without a note. */
function findNote(text: string): readonly [number, number] | undefined {
  const root = parseDocument(text).contents;
  const range = isMap(root) ? (root.get('note', true) as Node | undefined)?.range : undefined;
  return range ? [range[0], range[1]] : undefined;
}
