import type { TSchema } from '@loyalty/contract/schema-type';
import { type BenefitKind, KINDS } from '../../src/benefits/register.ts';
import { LEVEL_FIELDS } from '../../src/compile/condition-fields.ts';
import { isAmount, PercentValue, UnitsEntry } from '../../src/compile/fields.ts';

/** How a generator draws what a field holds: a value, or whatever makes values. */
export interface Draws<T> {
  percent(): T;
  /** An amount, or a price, which may be 0. */
  amount(field: string): T;
  /** Undefined for every line. */
  selector(): T | undefined;
  units(): T;
  count(): T;
  choice(values: readonly unknown[]): T;
}

/**
 * The own fields of a kind and its `appliesTo`, each drawn by its schema, so that a new kind takes part in all random programmes. A kind
 * whose fields depend on each other, or name a product, is drawn by each generator in its own way.
 */
export function drawFields<T>(kind: BenefitKind, draws: Draws<T>): Record<string, T> {
  const { fields, level } = KINDS[kind];
  const drawn = Object.entries<TSchema>(fields).map(([field, schema]) => [field, draw(field, schema, draws)] as const);
  const appliesTo = 'appliesTo' in LEVEL_FIELDS[level] ? draws.selector() : undefined;
  return Object.fromEntries<T>([...drawn, ...(appliesTo === undefined ? [] : [['appliesTo', appliesTo] as const])]);
}

function draw<T>(field: string, schema: TSchema, draws: Draws<T>): T {
  const own = schema as TSchema & { readonly type?: string; readonly enum?: readonly unknown[] };
  if (own.enum) return draws.choice(own.enum);
  if (isAmount(schema)) return draws.amount(field);
  if (isSame(schema, PercentValue)) return draws.percent();
  if (isSame(schema, UnitsEntry)) return draws.units();
  if (own.type === 'boolean') return draws.choice([true, false]);
  if (own.type === 'integer') return draws.count();
  throw new Error(`nothing says how ${field} is drawn: draw its kind in each generator (CONTRIBUTING.md)`);
}

/** An optional field has a copy of the schema. */
function isSame(schema: TSchema, other: TSchema): boolean {
  return JSON.stringify(schema) === JSON.stringify(other);
}
