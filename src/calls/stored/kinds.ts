import { ByteReader, type Bytes, ByteWriter, fail } from './bytes.ts';

/**
 * The kinds of stored values. A kind is one function that both writes and reads (bytes.ts): it is given the value to be written, or undefined
 * where one is read, and returns the value. A stored form is the table of its fields in the order of their bytes, and its type follows from that:
 *
 *     const product = record(['productId', text], ['units', integer], ['ean', optionalText]);
 *     type Product = ValueOf<typeof product>;
 */
export type Kind<Value> = (bytes: Bytes, value: Value | undefined) => Value;

/** A kind that refers to the item before it in its list, or to its record, of which only the fields before it are read then. */
export type DependentKind<Value, On> = (bytes: Bytes, value: Value | undefined, on: On) => Value;

export type ValueOf<Of> = Of extends (...given: never) => infer Value ? Value : never;

const writer = new ByteWriter();

/** The bytes of a value. Throws on one that could not be read back. */
export function encode<Value>(kind: Kind<Value>, value: Value): Buffer {
  return writer.encode(kind, value);
}

/** The value with which these bytes begin. Throws where they are damaged. */
export function decode<Value>(kind: Kind<Value>, bytes: Buffer): Value {
  return kind(new ByteReader(bytes), undefined);
}

/** The same; undefined where they are damaged. */
export function decodeIfWhole<Value>(kind: Kind<Value>, bytes: Buffer): Value | undefined {
  try {
    return decode(kind, bytes);
  } catch {
    return undefined;
  }
}

export const integer: Kind<number> = (bytes, value) => bytes.integer(value);
export const text: Kind<string> = (bytes, value) => bytes.text(value);
export const optionalText: Kind<string | undefined> = (bytes, value) => bytes.optionalText(value);
export const knownText: Kind<string> = (bytes, value) => bytes.knownText(value);

export const optionalInteger: Kind<number | undefined> = (bytes, value) => {
  const stored = bytes.integer(value === undefined ? 0 : value + 1);
  return stored === 0 ? undefined : stored - 1;
};

/** One of some values, as its place among them: append, never insert. */
export function oneOf<const Value>(...values: Value[]): Kind<Value> {
  return (bytes, value) => valueAt(values, bytes.integer(values.indexOf(value as Value)));
}

function valueAt<Value>(values: readonly Value[], place: number): Value {
  return place < values.length ? values[place]! : fail('an index of it is out of range');
}

export function pair<First, Second>(first: Kind<First>, second: Kind<Second>): Kind<readonly [First, Second]> {
  return (bytes, value) => [first(bytes, value?.[0]), second(bytes, value?.[1])];
}

export function list<Item>(item: DependentKind<Item, Item | undefined>): Kind<readonly Item[]> {
  return (bytes, items) => {
    const length = bytes.integer(items?.length);
    // Each item has a byte at least.
    if (length > bytes.left) return fail('its bytes end in a list');
    const all: Item[] = [];
    for (let place = 0; place < length; place += 1) all.push(item(bytes, items?.[place], all[place - 1]));
    return all;
  };
}

/** Writes a part of a record, or reads it into that. */
type Part = (bytes: Bytes, it: Record<string, unknown>, isRead: boolean) => void;

// biome-ignore lint/suspicious/noExplicitAny: fields of every kind stand in one table, and `RecordOf` tells their types apart.
type Field = readonly [name: string, kind: DependentKind<any, any>];
type Digit = readonly [name: string, values: readonly unknown[]];

interface Head<Digits extends readonly Digit[]> {
  readonly part: Part;
  readonly digits: Digits;
}

export const flag = [false, true] as const;
/** For a later field of the same name, which is written only if it is there. Until it is read, `true` stands for it. */
export const there: readonly undefined[] = [undefined, true as never];

/** Fields in one integer, each as its place among the values that it may have. */
export function head<const Digits extends readonly Digit[]>(...digits: Digits): Head<Digits> {
  const all = digits.map(([name, values]) => ({ name, values }));
  const radices = all.slice(0, -1).map(({ values }) => values.length);
  const part: Part = (bytes, it, isRead) => {
    const places: number[] = [];
    if (!isRead) for (const { name, values } of all) places.push(placeOf(it[name], values));
    const stored = bytes.packed(radices, places);
    if (!isRead) return;
    for (let at = 0; at < all.length; at += 1) it[all[at]!.name] = valueAt(all[at]!.values, stored[at]!);
  };
  return { part, digits };
}

/** Any other value is that of the last place. */
function placeOf(value: unknown, values: readonly unknown[]): number {
  let place = 0;
  while (place < values.length - 1 && values[place] !== value) place += 1;
  return place;
}

function fieldPart([name, kind]: Field, isOptional: boolean): Part {
  return (bytes, it, isRead) => {
    if (isOptional && it[name] === undefined) return;
    const value = kind(bytes, isRead ? undefined : it[name], it);
    if (isRead) it[name] = value;
  };
}

type Named<Step> = Step extends Head<infer Digits> ? Digits[number] : Extract<Step, Field>;
type ValueIn<Of, Name> = Of extends readonly [Name, infer Kind]
  ? Kind extends readonly (infer Value)[]
    ? Value
    : ValueOf<Kind>
  : never;
type RecordOf<Steps extends readonly unknown[]> = {
  readonly [Name in Named<Steps[number]>[0]]: ValueIn<Named<Steps[number]>, Name>;
};

/** Fields in the order of their bytes, and a head among them if it has one. */
export function record<const Steps extends readonly (Field | Head<readonly Digit[]>)[]>(
  ...steps: Steps
): Kind<RecordOf<Steps>> {
  const inHead = new Set(steps.flatMap((step) => ('part' in step ? step.digits.map(([name]) => name) : [])));
  const parts = steps.map((step) => ('part' in step ? step.part : fieldPart(step, inHead.has(step[0]))));
  return (bytes, value) => {
    const it: Record<string, unknown> = value ?? {};
    for (const part of parts) part(bytes, it, value === undefined);
    return it as RecordOf<Steps>;
  };
}
