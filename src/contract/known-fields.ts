/** As much of a JSON schema as the contract's schemas use for objects and lists. */
interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/**
 * Copies a value that fits a schema, without the fields that the schema does not name, at any depth. Typebox has the same,
 * in a module of 300 files that each thread would load at its start.
 */
export function keepKnownFields<Value>(schema: object, value: Value): Value {
  return copyKnown(schema, value) as Value;
}

function copyKnown({ properties, items }: Schema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => copyKnown(items ?? {}, item));
  if (typeof value !== 'object' || value === null) return value;
  const known = Object.entries(value).filter(([name]) => properties && Object.hasOwn(properties, name));
  return Object.fromEntries(known.map(([name, field]) => [name, copyKnown(properties?.[name] ?? {}, field)]));
}
