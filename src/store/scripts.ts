import { readFileSync } from 'node:fs';
import type { Connection } from '../redis/connection.ts';
import { callScript, type Script, scriptOf, type Word } from '../redis/scripts.ts';
import { type Arguments, luaName, type Reply, type Values, words } from './codec.ts';

/**
 * Scripts that speak in names. A script of `scripts/` is declared once, in a file beside its Lua: its keys, its arguments and its reply. The
 * declaration is a function that is called with names and answers in names:
 *
 *     export const giveBackScript = defineScript({
 *       name: 'give-back',
 *       keys: ['use'],
 *       args: { usageKey: text, units: number },
 *       reply: oneOf({ given_back: { consumed: number }, too_many: { consumed: number }, merged: {} }),
 *     });
 *
 *     const reply = await giveBackScript(connection, { use: keys.use(member) }, { usageKey, units: 2 });
 *     if (reply.outcome === 'merged') …
 *
 * The Lua has the same names, which are written where it says `--- @declared "members"`:
 *
 *     if redis.call('HEXISTS', use_key, '!moved') == 1 then        a local for each key, and for each argument: usage_key, units
 *       return reply({ outcome = 'merged' })                       the values of a reply, by their names
 *
 * A key that ends in `?` may be undefined, because it is in another slot of a cluster (store.ts) or there is none: its local is nil then, and the script
 * leaves its part to the caller.
 *
 * A number is text there, as Redis gives it; a flag is true or false; a list of words is a table. Values travel by their places: locals and
 * replies are written with these when the script is loaded, so that names cost a call nothing.
 *
 * Files `<name>.include.lua` have local functions. A script or another such file has a line `--- @include "<name>"` for each that it calls.
 */
export interface ScriptDeclaration<Key extends string, Args extends Arguments, Value, More extends string = string> {
  /** The file without its ending. */
  readonly name: string;
  readonly keys: readonly Key[];
  /** More keys after these, a table in the Lua. */
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
  const { keys, moreKeys, reply } = declared;
  const script = readScript(declared);
  const { singles, lists } = placesOf(declared.args);
  const places = keys.map(placeName);
  const call = async (
    connection: Connection,
    keysByName: KeysByName<Key> & Readonly<Record<More, readonly string[]>>,
    values: Values<Args>,
  ): Promise<Value> => {
    const given = keysByName as Readonly<Record<string, string | undefined>>;
    const named: string[] = [];
    // Redis takes no empty place for a key, so the first one stands where another is missing.
    for (const key of places) named.push(given[key] ?? (given[places[0]!] as string));
    if (moreKeys !== undefined) named.push(...(keysByName[moreKeys] as readonly string[]));
    const sent: Word[] = [];
    for (const [name, type] of singles) sent.push(type.write(values[name]));
    for (const name of lists) {
      const list = values[name] as readonly Word[];
      sent.push(list.length);
      for (const each of list) sent.push(each);
    }
    return reply.read(await callScript(connection, script, named, sent));
  };
  return Object.assign(call, { declared, script });
}

type KeysByName<Key extends string> = {
  readonly [Name in Key as Name extends `${string}?` ? never : Name]: string;
} & { readonly [Name in Key as Name extends `${infer Place}?` ? Place : never]: string | undefined };

/** The name of a key without the sign that it may be missing. */
export function placeName(key: string): string {
  return key.replace('?', '');
}

/** What a script answers. */
export type ReplyOf<Script extends (...args: never) => Promise<unknown>> = Awaited<ReturnType<Script>>;

const FOLDER = new URL('./scripts/', import.meta.url);
const INCLUDE_LINE = /^--- @include "(.+)"\n/gm;
const DECLARED_LINE = /^--- @declared ".+"\n/m;
const REPLY = /\breply\(\{(.*?)\}\)/gs;
/** `name = value`; a value may have calls with calls in them, and no table. */
const NAMED_VALUE = /(\w+) = ((?:[^(),]|\((?:[^()]|\([^()]*\))*\))+)(?:,|$)/g;

function readScript(declared: ScriptDeclaration<string, Arguments, unknown>): Script {
  const { name, reply } = declared;
  const source = readWithIncludes(`${name}.lua`, new Set()).replace(DECLARED_LINE, () => localsOf(declared));
  return scriptOf(
    name,
    source.replace(REPLY, (_reply, values: string) => placeReply(name, reply, values)),
  );
}

/** Each file is included once, before the first that calls it. */
function readWithIncludes(file: string, included: Set<string>): string {
  return readFileSync(new URL(file, FOLDER), 'utf8').replace(INCLUDE_LINE, (_line, name: string) => {
    if (included.has(name)) return '';
    included.add(name);
    return readWithIncludes(`${name}.include.lua`, included);
  });
}

/** A list comes behind the other arguments, after its length. */
function placesOf(args: Arguments) {
  const all = Object.entries(args);
  return {
    singles: all.flatMap(([name, type]) => (type === words ? [] : [[name, type] as const])),
    lists: all.flatMap(([name, type]) => (type === words ? [name] : [])),
  };
}

/** The locals of the Lua. */
function localsOf({ keys, moreKeys, args }: ScriptDeclaration<string, Arguments, unknown>): string {
  const { singles, lists } = placesOf(args);
  const keyNames = keys.map((key) => `${luaName(placeName(key))}_key`);
  const lines = [`local ${keyNames.join(', ')} = unpack(KEYS, 1, ${keys.length})`];
  for (const [at, name] of keyNames.entries()) {
    if (keys[at]!.endsWith('?')) lines.push(`if ${name} == ${keyNames[0]} then ${name} = nil end`);
  }
  if (moreKeys !== undefined) lines.push(`local ${luaName(moreKeys)} = { unpack(KEYS, ${keys.length + 1}) }`);
  const names = singles.map(([name]) => luaName(name)).join(', ');
  if (names !== '') lines.push(`local ${names} = unpack(ARGV, 1, ${singles.length})`);
  for (const [name, { isFlag }] of singles) if (isFlag) lines.push(`${luaName(name)} = ${luaName(name)} == '1'`);
  if (lists.length > 0) lines.push(`local at = ${singles.length + 1}`);
  for (const list of lists.map(luaName)) {
    lines.push(
      `local ${list} = {} for place = at + 1, at + ARGV[at] do ${list}[place - at] = ARGV[place] end`,
      `at = at + 1 + #${list}`,
    );
  }
  return `${lines.join('\n')}\n`;
}

/** The values of a reply at their places. Throws where one is not declared, or not of the form `name = value`. */
function placeReply(script: string, { forms }: Reply<unknown>, text: string): string {
  const values = new Map([...text.matchAll(NAMED_VALUE)].map(([, name = '', value = '']) => [name, value.trim()]));
  const outcome = values.get('outcome') ?? '';
  values.delete('outcome');
  const parts = Object.entries(forms[outcome.replaceAll("'", '')] ?? {}).map(([name, type]) => {
    const value = values.get(luaName(name)) ?? 'nil';
    values.delete(luaName(name));
    return type.inLua(`(${value})`);
  });
  const unknown = [...values.keys(), text.replace(NAMED_VALUE, '').trim()].filter((each) => each !== '');
  if (unknown.length > 0) throw new Error(`${script} answers ${outcome} with what is not declared: ${unknown}`);
  return `{ ${[outcome, ...parts].filter((each) => each !== '').join(', ')} }`;
}
