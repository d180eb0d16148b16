import { BasketRequest } from '@loyalty/contract/basket-request';

/**
 * The fields that the interface has (interface, section 2), and no others. A till's own objects also hold what must not leave it: names,
 * card numbers, cost prices.
 */

interface Schema {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/**
 * A basket as it goes out: the caller's values in the caller's order, without unknown fields. Values of the wrong type are
 * left as they are, because the service names them in its refusal.
 */
export function onlyKnownFields(basket: unknown): unknown {
  return copy(basket, BasketRequest as Schema);
}

function copy(value: unknown, schema: Schema): unknown {
  const { properties, items } = schema;
  if (items && Array.isArray(value)) return value.map((item) => copy(item, items));
  if (!properties || typeof value !== 'object' || value === null) return value;
  const known: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) {
    if (Object.hasOwn(properties, name)) known[name] = copy(field, properties[name]!);
  }
  return known;
}

/** The named fields that have a value. The interface has optional fields left out, where many a till writes `null`. */
export function pick<Value extends object, Name extends keyof Value>(
  value: Value,
  names: readonly Name[],
): Pick<Value, Name> {
  const picked: Partial<Pick<Value, Name>> = {};
  for (const name of names) {
    const field = value[name];
    if (field !== undefined && field !== null) picked[name] = field;
  }
  return picked as Pick<Value, Name>;
}
