import type { FieldNotes } from '@loyalty/engine/compile/fields';
import { BENEFIT_SCHEMAS } from '../benefit-schema.ts';
import { below } from '../configuration-error.ts';
import { DEFAULT_SETTINGS } from '../judge.ts';
import { ProgrammeEntry } from '../schema.ts';

/**
 * What a field that is absent means, by its path: a benefit that loses `get.percent` gives its units for nothing, and a difference
 * that ends in "none" would say the opposite. Fields without a default are not here.
 */
export type Defaults = ReadonlyMap<string, unknown>;

export const NO_DEFAULTS: Defaults = new Map();

interface Schema extends FieldNotes {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
}

/** What a schema notes of each field, by its path; of a field of several forms those that are mappings are looked into. */
export function* notesOf({ properties = {} }: Schema, above = ''): Generator<[path: string, notes: FieldNotes]> {
  for (const [name, field] of Object.entries(properties)) {
    const path = below(above, name);
    yield [path, field];
    for (const form of field.anyOf ?? [field]) yield* notesOf(form, path);
  }
}

function defaultsOf(...schemas: readonly object[]): Defaults {
  const noted = schemas.flatMap((schema) => [...notesOf(schema)]);
  return new Map(noted.flatMap(([path, { default: own }]) => (own === undefined ? [] : [[path, own] as const])));
}

const OF_KINDS = new Map<unknown, Defaults>([...BENEFIT_SCHEMAS].map(([kind, schema]) => [kind, defaultsOf(schema)]));
/** Of a kind that is not known those of the first that has the field. */
const OF_ANY_KIND = defaultsOf(...[...BENEFIT_SCHEMAS.values()].reverse());

/** What a field that is absent means for a benefit of this kind. */
export function benefitDefaults(kind: unknown): Defaults {
  return OF_KINDS.get(kind) ?? OF_ANY_KIND;
}

export const PROGRAMME_DEFAULTS: Defaults = defaultsOf(ProgrammeEntry);

/** The settings as a whole, and each field of them. */
export const SETTING_DEFAULTS: Defaults = new Map<string, unknown>(
  Object.entries({ ...DEFAULT_SETTINGS, events: { lines: true } }).flatMap(([name, fields]) => [
    [name, fields] as const,
    ...Object.entries(fields).map(([field, value]) => [`${name}.${field}`, value] as const),
  ]),
);
