/**
 * A JSON Schema for people to read: wherever one of these parts occurs, at any depth, the schema refers to it, and each stands once under `$defs`.
 * Nothing stands beside a `$ref`, because editors ignore it there. So the schema accepts the same values as before, with the same descriptions. A bare `type` stays: a reference to it says less.
 */
export function withSharedDefinitions(
  { $defs, ...schema }: Readonly<Record<string, unknown>>,
  parts: Readonly<Record<string, object>>,
): object {
  const worthNaming = Object.entries(parts).filter(([, part]) => Object.keys(part).join() !== 'type');
  const names = new Map(worthNaming.map(([name, part]) => [JSON.stringify(part), name]));
  const referTo = (value: unknown): unknown => {
    const name = names.get(JSON.stringify(value));
    return name === undefined ? insideOf(value) : { $ref: `#/$defs/${name}` };
  };
  const insideOf = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(referTo);
    return Object.fromEntries(Object.entries(value).map(([word, own]) => [word, referTo(own)]));
  };
  const shared = [...names].map(([text, name]) => [name, insideOf(JSON.parse(text))]);
  return { ...(insideOf(schema) as object), $defs: { ...(insideOf($defs) as object), ...Object.fromEntries(shared) } };
}

/** The schema as text, with each reference on one line. */
export function renderSchema(schema: object): string {
  return `${JSON.stringify(schema, null, 2).replaceAll(/\{\s+("\$ref": "[^"]+")\s+\}/g, '{ $1 }')}\n`;
}
