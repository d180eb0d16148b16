/**
 * Where in a configuration a cursor stands, from the text before it: the names that lead there, and whether a name or a value is
 * being typed. Half-written files have no syntax tree worth asking, so this goes by indentation and open brackets.
 */

interface YamlPlace {
  /** Names from the top; `[]` is an entry of a list. */
  path: readonly string[];
  /** A name is being typed, or could be; otherwise the value of `path`. */
  isKey: boolean;
  /** The word before the cursor. */
  typed: string;
}

type Level = { indent: number; name: string };
type Flow = { bracket: string; name: string };

const KEY = /^("[^"]*"|'[^']*'|[\w.-]+)\s*:(?=\s|$)/;

/** The place at the end of a text; undefined within a comment. */
export function findPlace(before: string): YamlPlace | undefined {
  let levels: readonly Level[] = [];
  const flows: Flow[] = [];
  const lines = before.split('\n');
  const last = lines.pop() as string;
  for (const line of lines) {
    if (flows.length === 0 && line.trim() !== '') levels = enter(levels, line).levels;
    readFlow(flows, flows.length === 0 ? enter([], line).rest : line);
  }
  if (/(^|\s)#/.test(withoutQuotes(last))) return undefined;
  const typed = /[\w.-]*$/.exec(last)?.[0] ?? '';
  const head = last.slice(0, last.length - typed.length);
  if (flows.length > 0) {
    readFlow(flows, head);
    return flows.length > 0 ? placeOf(levels, flows, typed) : undefined;
  }
  const { levels: own, rest, isValue } = enter(levels, head);
  readFlow(flows, rest);
  if (flows.length > 0) return placeOf(own, flows, typed);
  if (rest.trim() !== '') return undefined;
  return { path: own.map(({ name }) => name), isKey: !isValue, typed };
}

/** Goes into the levels that a line opens: its entries of lists and its name. */
function enter(levels: readonly Level[], line: string) {
  let rest = line;
  let indent = 0;
  let own = levels;
  let isValue = false;
  const skip = (count: number) => {
    rest = rest.slice(count);
    indent += count;
  };
  skip(/^ */.exec(rest)?.[0].length ?? 0);
  if (rest.startsWith('#') || rest.startsWith('---')) return { levels: own, rest: '', isValue };
  // A line of blanks alone is where somebody begins to type: it closes what is deeper.
  own = own.filter(
    (level) => level.indent < indent || (level.indent === indent && rest.startsWith('-') && level.name !== '[]'),
  );
  for (let dash = /^- */.exec(rest); dash; dash = /^- */.exec(rest)) {
    own = [...own, { indent, name: '[]' }];
    skip(dash[0].length);
  }
  const key = KEY.exec(rest);
  if (key) {
    own = [...own.filter((level) => level.indent < indent), { indent, name: unquoted(key[1] ?? '') }];
    skip(key[0].length);
    isValue = rest.startsWith(' ');
  }
  return { levels: own, rest, isValue };
}

/** Reads brackets and names of a text in flow style into the list of open brackets. */
function readFlow(flows: Flow[], text: string) {
  const tokens = text.matchAll(/"(?:[^"\\]|\\.)*"?|'[^']*'?|[[{\]},:]|#.*|[^\s"'[{\]},:#]+/g);
  let word = '';
  for (const [token] of tokens) {
    const top = flows.at(-1);
    if (token === '{' || token === '[') flows.push({ bracket: token, name: '' });
    else if (token === '}' || token === ']') flows.pop();
    else if (token === ',' && top) top.name = '';
    else if (token === ':' && top) top.name = unquoted(word);
    word = token;
  }
}

function placeOf(levels: readonly Level[], flows: readonly Flow[], typed: string): YamlPlace {
  const path = levels.map(({ name }) => name);
  for (const { bracket, name } of flows) {
    if (bracket === '[') path.push('[]');
    else if (name !== '') path.push(name);
  }
  const top = flows.at(-1);
  return { path, isKey: top?.bracket === '{' && top.name === '', typed };
}

function unquoted(text: string) {
  return text.replace(/^(["'])(.*)\1$/, '$2');
}

function withoutQuotes(text: string) {
  return text.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, '""');
}
