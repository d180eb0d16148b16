import { _, Ajv, type ErrorObject } from 'ajv';
import { toHundredths } from './money/round.ts';

/** Validators of values against schemas, compiled by ajv, which is the only judge of schemas. */

type Schema = Readonly<Record<string, unknown>>;

/** A place in which a value does not meet its schema. */
export interface Flaw {
  /** A JSON Pointer from the value; of a missing property, its own. */
  readonly path: string;
  readonly keyword: string;
  /** The schema whose keyword it is. */
  readonly schema: Schema;
  /** Undefined for a missing property. */
  readonly found: unknown;
  /** Of a property that is missing, or that the schema does not name. */
  readonly name?: string;
}

/** Finds the flaws of a value; an empty list where it meets the schema. */
export type Validator = (value: unknown) => readonly Flaw[];

interface Options {
  /** What a text of each `format` looks like. */
  readonly formats: Readonly<Record<string, (text: string) => boolean>>;
  /** Finds every flaw; otherwise none but the first, which takes no longer however many there are. */
  readonly allErrors?: boolean;
  /** Takes out of a valid value, in place, every field that its schema does not name, at any depth. */
  readonly removeUnknown?: boolean;
}

const NONE: readonly Flaw[] = [];

/** Characters are code points, as JSON Schema counts them. */
const LENGTHS = [
  ['maxLength', (text: string, most: number) => [...text].length > most],
  ['minLength', (text: string, least: number) => [...text].length < least],
] as const;

/**
 * Makes a compiler of schemas. To compile a basket's takes 20 ms, so it is done before anybody waits; the same schema is
 * compiled once. It throws at a keyword or format that nobody checks.
 */
export function createCompiler({ formats, allErrors = false, removeUnknown }: Options): (schema: object) => Validator {
  const ajv = new Ajv({
    allErrors,
    formats,
    removeAdditional: removeUnknown ? 'all' : false,
    // A flaw needs the schema and the value that it is about, and no words.
    verbose: true,
    messages: false,
    // Schemas of this project are tested against the meta-schema. Unoptimised code is as fast, and compiled in half the time.
    strictTypes: false,
    strictRequired: false,
    meta: false,
    validateSchema: false,
    code: { optimize: false },
    // A part that several schemas have is one function.
    inlineRefs: false,
  });
  // `multipleOf: 0.01` would be floating point, by which 1.15 is none.
  ajv.addKeyword({
    keyword: 'hundredths',
    type: 'number',
    code: (context) => {
      const round = context.gen.scopeValue('func', { ref: toHundredths });
      context.fail(_`${round}(${context.data}) === undefined`);
    },
  });
  // A text has at most as many characters as UTF-16 units, and at least half as many: few have to be counted (measured: 50 µs a
  // call of 20 lines).
  for (const [keyword, isWrong] of LENGTHS) {
    ajv.removeKeyword(keyword);
    ajv.addKeyword({
      keyword,
      type: 'string',
      before: 'pattern',
      code: (context) => {
        const check = context.gen.scopeValue('func', { ref: isWrong });
        const { data, schema } = context;
        const mayBe = keyword === 'maxLength' ? _`${data}.length > ${schema}` : _`${data}.length < ${2 * schema}`;
        context.fail(_`${mayBe} && ${check}(${data}, ${schema})`);
      },
    });
  }
  const parts = new Parts((name, part) => ajv.addSchema(part, name));
  return (schema) => {
    const validate = ajv.compile(parts.referTo(schema));
    return (value) => (validate(value) ? NONE : flawsOf(validate.errors!, parts));
  };
}

/** The objects that a schema describes, each compiled once however many schemas have it: the kinds of benefits share most of theirs. */
class Parts {
  readonly #references = new Map<unknown, Schema>();
  readonly #originals = new Map<unknown, Schema>();
  readonly #add: (name: string, part: Schema) => void;

  constructor(add: (name: string, part: Schema) => void) {
    this.#add = add;
  }

  /** The schema with a reference in place of each object's. */
  referTo(schema: object): Schema {
    const known = this.#references.get(schema);
    if (known) return known;
    const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, this.#inside(value)]));
    this.#originals.set(copy, schema as Schema);
    if (!('properties' in schema)) return copy;
    const reference = { $ref: `part-${this.#references.size}` };
    this.#references.set(schema, reference);
    this.#add(reference.$ref, copy);
    return reference;
  }

  originalOf(schema: object): Schema {
    return this.#originals.get(schema)!;
  }

  #inside(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((entry) => this.#inside(entry));
    return typeof value === 'object' && value !== null ? this.referTo(value) : value;
  }
}

function flawsOf(errors: readonly ErrorObject[], parts: Parts): Flaw[] {
  const flaws: Flaw[] = [];
  for (const error of errors) {
    const flaw = flawOf(error, parts);
    const last = flaws.at(-1);
    if (flaw.keyword === 'anyOf') flaws.push(...flawsOfForm(flaw, takeBelow(flaw.path, flaws)));
    // A value of another type has other flaws that follow from it.
    else if (last?.keyword !== 'type' || last.schema !== flaw.schema || last.path !== flaw.path) flaws.push(flaw);
  }
  return flaws;
}

function flawOf({ instancePath, keyword, data, params, parentSchema }: ErrorObject, parts: Parts): Flaw {
  const flaw = { path: instancePath, keyword, schema: parts.originalOf(parentSchema!), found: data };
  if (keyword === 'additionalProperties') return { ...flaw, name: params['additionalProperty'] };
  if (keyword !== 'required') return flaw;
  const name = String(params['missingProperty']);
  return {
    ...flaw,
    path: `${instancePath}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    found: undefined,
    name,
  };
}

/** Takes off the end what ajv found in the forms of a value, which it reports before it says that the value has none of them. */
function takeBelow(path: string, flaws: Flaw[]): Flaw[] {
  let from = flaws.length;
  while (from > 0 && `${flaws[from - 1]!.path}/`.startsWith(`${path}/`)) from -= 1;
  return flaws.splice(from);
}

const OF_OTHER_FORMS: readonly string[] = ['type', 'enum', 'const'];

/**
 * Of a value that may have several forms: the flaws in the form of its type, if it is an object or a list and there is such a
 * form; otherwise that it has none of the forms.
 */
function flawsOfForm(none: Flaw, ofForms: readonly Flaw[]): readonly Flaw[] {
  if (typeof none.found !== 'object') return [none];
  const ofItsType = ofForms.filter(({ path, keyword }) => path !== none.path || !OF_OTHER_FORMS.includes(keyword));
  return ofItsType.length > 0 ? ofItsType : [none];
}
