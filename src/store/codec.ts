import type { Connection } from '../redis/connection.ts';
import { replyMap, replyText, type ScriptReply, type Word } from '../redis/scripts.ts';
import type { MemberToken } from './keys.ts';
import { runScript } from './scripts.ts';

/**
 * Scripts that speak in names. A script is declared once, beside its Lua in `scripts/`: its keys, its arguments in their order, and its
 * reply. The declaration is a function that is called with names and answers in names. `test/store/declared-scripts.test.ts` compares it
 * with the header of the Lua.
 *
 *     export const giveBack = defineScript({
 *       name: 'give-back',
 *       keys: ['use'],
 *       args: [text('usageKey'), number('units')],
 *       reply: oneOf({ given_back: [number('consumed')], too_many: [number('consumed')], merged: [] }),
 *     });
 *
 *     const reply = await giveBack(connection, { use: keys.use(member) }, { usageKey, units: 2 });
 *     if (reply.outcome === 'merged') …
 */

/** A place in the arguments of a script: its name, and how its value is written there. */
export interface Argument<Name extends string, Value> {
  readonly name: Name;
  /** `counted`: its words come after their number. `rest`: it takes all words that are left. */
  readonly takes: 'one' | 'counted' | 'rest';
  readonly write: (value: Value, words: Word[]) => void;
}

/** A place in the reply of a script: its name, and how its value is read from there. */
export interface Part<Name extends string, Value> {
  readonly name: Name;
  readonly read: (replies: readonly ScriptReply[], at: number) => Value;
}

type Both<Name extends string, Value> = Argument<Name, Value> & Part<Name, Value>;

function both<Name extends string, Value>(
  name: Name,
  encode: (value: Value) => Word,
  decode: (reply: ScriptReply | undefined) => Value,
): Both<Name, Value> {
  return {
    ...{ name, takes: 'one' },
    write: (value, words) => words.push(encode(value)),
    read: (replies, at) => decode(replies[at]),
  };
}

/** Text in UTF-8. */
export function text<Name extends string>(name: Name): Both<Name, string> {
  return both(name, (value) => value, replyText);
}

/** A member as keys name it. */
export function member<Name extends string>(name: Name): Both<Name, MemberToken> {
  return word<Name, MemberToken>(name);
}

/** One of some words. */
export function word<Name extends string, const One extends string>(name: Name, ..._of: One[]): Both<Name, One> {
  return both<Name, One>(
    name,
    (value) => value,
    (reply) => replyText(reply) as One,
  );
}

export function bytes<Name extends string>(name: Name): Both<Name, Buffer> {
  return both<Name, Buffer>(
    name,
    (value) => value,
    (reply) => reply as Buffer,
  );
}

export function number<Name extends string>(name: Name): Both<Name, number> {
  return both<Name, number>(name, (value) => value, Number);
}

/** 1 or 0. */
export function flag<Name extends string>(name: Name): Both<Name, boolean> {
  return both<Name, boolean>(
    name,
    (value) => (value ? 1 : 0),
    (reply) => reply === 1,
  );
}

/** What may be missing: '' in arguments; '', nil or nothing at all in a reply. */
export function optional<Name extends string, Value>({ name, write, read }: Both<Name, Value>) {
  const of: Both<Name, Value | undefined> = {
    ...{ name, takes: 'one' },
    write: (value, words) => (value === undefined ? words.push('') : write(value, words)),
    read(replies, at) {
      const reply = replies[at];
      const isMissing = reply === undefined || reply === null || (Buffer.isBuffer(reply) && reply.length === 0);
      return isMissing ? undefined : read(replies, at);
    },
  };
  return of;
}

/** All arguments that are left. */
export function rest<Name extends string>(name: Name): Argument<Name, readonly Word[]> {
  return { name, takes: 'rest', write: pushAll };
}

/** Arguments after their number. */
export function counted<Name extends string>(name: Name): Argument<Name, readonly Word[]> {
  return {
    ...{ name, takes: 'counted' },
    write: (values, words) => {
      words.push(values.length);
      pushAll(values, words);
    },
  };
}

function pushAll(values: readonly Word[], words: Word[]): void {
  for (const value of values) words.push(value);
}

/** A list `name, value, name, value` in a reply. */
export function fields<Name extends string>(name: Name): Part<Name, ReadonlyMap<string, string>> {
  return { name, read: (replies, at) => replyMap(replies[at]) };
}

/** A list of texts in a reply. */
export function texts<Name extends string>(name: Name): Part<Name, readonly string[]> {
  return { name, read: (replies, at) => (replies[at] as ScriptReply[]).map(replyText) };
}

/** A list of numbers in a reply; undefined for nil. */
export function numbers<Name extends string>(name: Name): Part<Name, readonly (number | undefined)[]> {
  return {
    name,
    read: (replies, at) => (replies[at] as ScriptReply[]).map((each) => (each === null ? undefined : Number(each))),
  };
}

/** `key, number, key, number`: all parts of a reply that are left. */
export function restNumbers<Name extends string>(name: Name): Part<Name, ReadonlyMap<string, number>> {
  return {
    name,
    read(replies, at) {
      const numbers = new Map<string, number>();
      for (let each = at; each < replies.length; each += 2)
        numbers.set(replyText(replies[each]), Number(replies[each + 1]));
      return numbers;
    },
  };
}

// biome-ignore-start lint/suspicious/noExplicitAny: fields of every type stand in one list, and `Values` tells their types apart.
type Arguments = readonly Argument<string, any>[];
type Parts = readonly Part<string, any>[];
// biome-ignore-end lint/suspicious/noExplicitAny: see above

type ValueOf<Field> = Field extends Argument<string, infer Value> | Part<string, infer Value> ? Value : never;

/** The values of a list of fields, by their names. */
export type Values<Fields extends Arguments | Parts> = {
  readonly [Field in Fields[number] as Field['name']]: ValueOf<Field>;
};

/** How a reply is read. `forms` has the names of its parts, by the word that the reply begins with, or by ''. */
export interface Reply<Value> {
  readonly forms: Readonly<Record<string, readonly string[]>>;
  readonly read: (reply: ScriptReply) => Value;
}

/** One value. */
export function single<Value>(part: Part<string, Value>): Reply<Value> {
  return { forms: { '': [part.name] }, read: (reply) => part.read([reply], 0) };
}

/** A list of texts of any length. */
export function listed(name: string): Reply<string[]> {
  return { forms: { '': [name] }, read: (reply) => (reply as ScriptReply[]).map(replyText) };
}

/** A list of parts. */
export function list<const Of extends Parts>(...parts: Of): Reply<Values<Of>> {
  return { forms: { '': parts.map(({ name }) => name) }, read: (reply) => readParts(parts, reply as ScriptReply[], 0) };
}

/** A list that begins with one of some words, on which its other parts depend. */
export function oneOf<const Forms extends Readonly<Record<string, Parts>>>(
  forms: Forms,
): Reply<{ [Outcome in keyof Forms]: { readonly outcome: Outcome } & Values<Forms[Outcome]> }[keyof Forms]> {
  const names = Object.entries(forms).map(([outcome, parts]) => [outcome, parts.map(({ name }) => name)] as const);
  return {
    forms: Object.fromEntries(names),
    read(reply) {
      const replies = reply as ScriptReply[];
      const outcome = replyText(replies[0]);
      const parts = forms[outcome];
      if (!parts) throw new Error(`A script answered ${outcome}.`);
      return Object.assign(readParts(parts, replies, 1) as never, { outcome });
    },
  };
}

/** A number that stands for a word. */
export function code<const Words extends Readonly<Record<number, string>>>(words: Words): Reply<Words[keyof Words]> {
  return {
    forms: Object.fromEntries(Object.keys(words).map((each) => [each, []])),
    read: (reply) => words[reply as number] as Words[keyof Words],
  };
}

/** A reply that says nothing of use. */
export const nothing: Reply<void> = { forms: {}, read: () => undefined };

function readParts<Of extends Parts>(parts: Of, replies: readonly ScriptReply[], first: number): Values<Of> {
  const values: Record<string, unknown> = {};
  for (let at = 0; at < parts.length; at += 1) {
    const { name, read } = parts[at] as Of[number];
    values[name] = read(replies, first + at);
  }
  return values as Values<Of>;
}

export interface ScriptDeclaration<Key extends string, Args extends Arguments, Value, More extends string = string> {
  /** The file without its ending and its number of keys. */
  readonly name: string;
  readonly keys: readonly Key[];
  /** More keys after these, of which the script is given a list (`<name>-n.lua`). */
  readonly moreKeys?: More;
  readonly args: Args;
  readonly reply: Reply<Value>;
}

/**
 * Makes a function of a script. It is given its keys by their names, of which there may be more than it takes, and its arguments. Throws
 * `StoreUnavailable`, or an error reply that only a bug explains.
 */
export function defineScript<
  const Key extends string,
  const Args extends Arguments,
  Value,
  const More extends string = never,
>(declared: ScriptDeclaration<Key, Args, Value, More>) {
  const { name, keys, moreKeys, args, reply } = declared;
  const call = async (
    connection: Connection,
    keysByName: Readonly<Record<Key, string> & Record<More, readonly string[]>>,
    values: Values<Args>,
  ): Promise<Value> => {
    const named: string[] = [];
    for (const key of keys) named.push(keysByName[key]);
    if (moreKeys !== undefined) named.push(...(keysByName[moreKeys] as readonly string[]));
    const words: Word[] = [];
    for (const { name: argument, write } of args) write(values[argument as keyof Values<Args>], words);
    return reply.read(await runScript(connection, name, named, words));
  };
  return Object.assign(call, { declared });
}

/** What a script answers. */
export type ReplyOf<Script extends (...args: never) => Promise<unknown>> = Awaited<ReturnType<Script>>;
