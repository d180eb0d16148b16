/** What a JSON Schema allows at a place of a configuration: names of a mapping, or values. */

/** @typedef {{ readonly label: string, readonly detail: string }} SchemaWord */
/** @typedef {Record<string, any>} Schema */

const MOST_DETAIL = 120;

/**
 * @param {Schema} root
 * @param {readonly string[]} path names from the top; `[]` is an entry of a list
 * @param {boolean} isKey
 * @param {string | undefined} kind the kind of the benefit around the place
 * @returns {SchemaWord[]}
 */
export function wordsAt(root, path, isKey, kind) {
  let schemas = expand(root, [root], kind);
  for (const name of path)
    schemas = expand(
      root,
      schemas.flatMap((schema) => step(schema, name)),
      kind,
    );
  /** @type {Map<string, SchemaWord>} */
  const words = new Map();
  for (const schema of schemas) {
    for (const word of isKey ? namesOf(schema) : valuesOf(schema)) {
      if (!words.has(word.label)) words.set(word.label, word);
    }
  }
  return [...words.values()];
}

/** @param {Schema} schema @param {string} name @returns {Schema[]} */
function step(schema, name) {
  if (name === '[]') return schema['items'] ? [schema['items']] : [];
  const own = schema['properties']?.[name];
  if (own) return [own];
  const patterns = Object.entries(schema['patternProperties'] ?? {});
  return patterns
    .filter(([pattern]) => new RegExp(pattern).test(name))
    .map(([, inner]) => /** @type {Schema} */ (inner));
}

/**
 * A schema and all that it refers to or chooses among. Of the kinds of benefits only the one that is written.
 * @param {Schema} root
 * @param {readonly Schema[]} schemas
 * @param {string | undefined} kind
 * @returns {Schema[]}
 */
function expand(root, schemas, kind) {
  return schemas.flatMap((schema) => {
    /** @type {Schema[]} */
    const inner = [...(schema['anyOf'] ?? []), ...(schema['oneOf'] ?? [])];
    for (const part of schema['allOf'] ?? []) {
      const wanted = part.if?.properties?.kind?.const;
      if (wanted === undefined) inner.push(part);
      else if (wanted === kind) inner.push(part.then);
    }
    const reference = schema['$ref'];
    if (typeof reference === 'string') inner.push(root['$defs']?.[reference.split('/').at(-1) ?? ''] ?? {});
    return [schema, ...(inner.length > 0 ? expand(root, inner, kind) : [])];
  });
}

/** @param {Schema} schema @returns {SchemaWord[]} */
function namesOf(schema) {
  const required = new Set(schema['required'] ?? []);
  return Object.entries(schema['properties'] ?? {}).map(([label, inner]) => ({
    label,
    detail: `${required.has(label) ? 'required: ' : ''}${describe(/** @type {Schema} */ (inner))}`,
  }));
}

/** @param {Schema} schema @returns {SchemaWord[]} */
function valuesOf(schema) {
  const values =
    schema['enum'] ?? ('const' in schema ? [schema['const']] : schema['type'] === 'boolean' ? [true, false] : []);
  return values.map((/** @type {unknown} */ value) => ({ label: String(value), detail: '' }));
}

/** @param {Schema} schema */
function describe(schema) {
  const text = schema['description'] ?? (schema['enum'] ? schema['enum'].join(', ') : (schema['type'] ?? ''));
  return String(text).slice(0, MOST_DETAIL);
}
