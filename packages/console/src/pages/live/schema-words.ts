/** What a JSON Schema allows at a place of a configuration: names of a mapping, or values. */

type SchemaWord = { readonly label: string; readonly detail: string };
// biome-ignore lint/suspicious/noExplicitAny: a JSON Schema may have any keyword with any value.
export type Schema = Record<string, any>;

const MOST_DETAIL = 120;

/**
 * The words at a place: `path` has the names that lead there, `[]` for an entry of a list, and `kind` is that of the benefit
 * around it.
 */
export function wordsAt(root: Schema, path: readonly string[], isKey: boolean, kind: string | undefined): SchemaWord[] {
  let schemas = expand(root, [root], kind);
  for (const name of path)
    schemas = expand(
      root,
      schemas.flatMap((schema) => step(schema, name)),
      kind,
    );
  const words: Map<string, SchemaWord> = new Map();
  for (const schema of schemas) {
    for (const word of isKey ? namesOf(root, schema) : valuesOf(schema)) {
      if (!words.has(word.label)) words.set(word.label, word);
    }
  }
  return [...words.values()];
}

function step(schema: Schema, name: string): Schema[] {
  if (name === '[]') return schema['items'] ? [schema['items']] : [];
  const own = schema['properties']?.[name];
  if (own) return [own];
  const patterns = Object.entries(schema['patternProperties'] ?? {});
  return patterns.filter(([pattern]) => new RegExp(pattern).test(name)).map(([, inner]) => inner as Schema);
}

/** A schema and all that it refers to or chooses among. Of the kinds of benefits only the one that is written. */
function expand(root: Schema, schemas: readonly Schema[], kind: string | undefined): Schema[] {
  return schemas.flatMap((schema) => {
    const inner: Schema[] = [...(schema['anyOf'] ?? []), ...(schema['oneOf'] ?? [])];
    for (const part of schema['allOf'] ?? []) {
      const wanted = part.if?.properties?.kind?.const;
      if (wanted === undefined) inner.push(part);
      else if (wanted === kind) inner.push(part.then);
    }
    const referred = referredBy(root, schema);
    if (referred) inner.push(referred);
    return [schema, ...(inner.length > 0 ? expand(root, inner, kind) : [])];
  });
}

/** The definition that a schema refers to instead of saying anything itself. */
function referredBy(root: Schema, { $ref: reference }: Schema): Schema | undefined {
  return typeof reference === 'string' ? root['$defs']?.[reference.split('/').at(-1) ?? ''] : undefined;
}

function namesOf(root: Schema, schema: Schema): SchemaWord[] {
  const required = new Set(schema['required'] ?? []);
  return Object.entries<Schema>(schema['properties'] ?? {}).map(([label, inner]) => ({
    label,
    detail: `${required.has(label) ? 'required: ' : ''}${describe(referredBy(root, inner) ?? inner)}`,
  }));
}

function valuesOf(schema: Schema): SchemaWord[] {
  const values =
    schema['enum'] ?? ('const' in schema ? [schema['const']] : schema['type'] === 'boolean' ? [true, false] : []);
  return values.map((value: unknown) => ({ label: String(value), detail: '' }));
}

function describe(schema: Schema) {
  const text = schema['description'] ?? (schema['enum'] ? schema['enum'].join(', ') : (schema['type'] ?? ''));
  return String(text).slice(0, MOST_DETAIL);
}
