/**
 * Where in a configuration a cursor stands, from the text before it: the names that lead there, and whether a name or a value is
 * being typed. Half-written files have no syntax tree worth asking, so this goes by indentation and open brackets.
 */

/**
 * @typedef {object} YamlPlace
 * @property {readonly string[]} path names from the top; `[]` is an entry of a list
 * @property {boolean} isKey a name is being typed, or could be; otherwise the value of `path`
 * @property {string} typed the word before the cursor
 */

/** @typedef {{ indent: number, name: string }} Level */
/** @typedef {{ bracket: string, name: string }} Flow */

const KEY = /^("[^"]*"|'[^']*'|[\w.-]+)\s*:(?=\s|$)/;

/**
 * @param {string} before the text up to the cursor
 * @returns {YamlPlace | undefined} undefined within a comment
 */
export function findPlace(before) {
  /** @type {readonly Level[]} */
  let levels = [];
  /** @type {Flow[]} */
  const flows = [];
  const lines = before.split('\n');
  const last = /** @type {string} */ (lines.pop());
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

/**
 * Goes into the levels that a line opens: its entries of lists and its name.
 * @param {readonly Level[]} levels
 * @param {string} line
 */
function enter(levels, line) {
  let rest = line;
  let indent = 0;
  let own = levels;
  let isValue = false;
  const skip = (/** @type {number} */ count) => {
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

/**
 * Reads brackets and names of a text in flow style.
 * @param {Flow[]} flows open brackets, changed in place
 * @param {string} text
 */
function readFlow(flows, text) {
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

/**
 * @param {readonly Level[]} levels
 * @param {readonly Flow[]} flows
 * @param {string} typed
 * @returns {YamlPlace}
 */
function placeOf(levels, flows, typed) {
  const path = levels.map(({ name }) => name);
  for (const { bracket, name } of flows) {
    if (bracket === '[') path.push('[]');
    else if (name !== '') path.push(name);
  }
  const top = flows.at(-1);
  return { path, isKey: top?.bracket === '{' && top.name === '', typed };
}

/** @param {string} text */
function unquoted(text) {
  return text.replace(/^(["'])(.*)\1$/, '$2');
}

/** @param {string} text */
function withoutQuotes(text) {
  return text.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, '""');
}
