import { replyText, type ScriptReply, type Word } from '../redis/scripts.ts';
import type { MemberToken } from './keys.ts';

/** The types of which a script's arguments and replies are declared (scripts.ts). */

/** How a value is written as a word of a command, and read from a reply. */
export interface Type<Value> {
  readonly write: (value: Value) => Word;
  readonly read: (reply: ScriptReply) => Value;
  /** The value in a reply of the Lua, where it may be missing. */
  readonly inLua: (value: string) => string;
  readonly isFlag?: true;
}

const orElse = (missing: string) => (value: string) => `${value} or ${missing}`;

/** Text in UTF-8. In a reply '' where it is missing. */
export const text: Type<string> = { write: (value) => value, read: replyText, inLua: orElse("''") };

/** A member as keys name it. */
export const member = text as unknown as Type<MemberToken>;

/** One of some words. */
export function word<const One extends string>(..._of: One[]): Type<One> {
  return text as unknown as Type<One>;
}

export const bytes: Type<Buffer> = { write: (value) => value, read: (reply) => reply as Buffer, inLua: orElse("''") };

/** In a reply 0 where it is missing. */
export const number: Type<number> = { write: (value) => value, read: Number, inLua: orElse('0') };

/** True or false in the Lua too. */
export const flag: Type<boolean> = {
  write: (value) => (value ? 1 : 0),
  read: (reply) => reply === 1,
  inLua: (value) => `not not ${value}`,
  isFlag: true,
};

/** What may be missing: '' in arguments; '' or nil in a reply. */
export function optional<Value>({ write, read }: Type<Value>): Type<Value | undefined> {
  return {
    write: (value) => (value === undefined ? '' : write(value)),
    read: (reply) => (reply === null || (Buffer.isBuffer(reply) && reply.length === 0) ? undefined : read(reply)),
    inLua: orElse('false'),
  };
}

/** A list of words in arguments. */
export const words = Symbol('words');

/** What is only read: lists. */
type Read<Value> = Pick<Type<Value>, 'read' | 'inLua'>;

function listOf<Value>(read: (each: ScriptReply) => Value): Read<readonly Value[]> {
  return { read: (reply) => (reply as ScriptReply[]).map(read), inLua: orElse('{}') };
}

export const texts = listOf(replyText);

/** Undefined for nil. */
export const numbers = listOf((each) => (each === null ? undefined : Number(each)));

/** A list `name, value, name, value`. */
function mapOf<Value>(read: (each: ScriptReply) => Value): Read<ReadonlyMap<string, Value>> {
  return {
    read(reply) {
      const all = reply as ScriptReply[];
      const map = new Map<string, Value>();
      for (let at = 0; at + 1 < all.length; at += 2) map.set(replyText(all[at]), read(all[at + 1] as ScriptReply));
      return map;
    },
    inLua: orElse('{}'),
  };
}

export const fields = mapOf(replyText);

export const numberFields = mapOf(Number);

/** What a key has: its lifetime as PTTL says it, and its words. */
export interface Content {
  readonly lifetimeMs: number;
  readonly words: readonly Buffer[];
}

export const content: Read<Content> = {
  read: (reply) => {
    const [lifetimeMs, words] = reply as [number, Buffer[]];
    return { lifetimeMs, words };
  },
  inLua: orElse('{}'),
};

export const contents = listOf(content.read);

// biome-ignore-start lint/suspicious/noExplicitAny: fields of every type stand in one record, and `Values` tells their types apart.
export type Arguments = Readonly<Record<string, Type<any> | typeof words>>;
export type Parts = Readonly<Record<string, Read<any>>>;
// biome-ignore-end lint/suspicious/noExplicitAny: see above

type ValueOf<Field> = Field extends typeof words ? readonly Word[] : Field extends Read<infer Value> ? Value : never;

/** The values of fields, by their names. */
export type Values<Fields extends Arguments | Parts> = { readonly [Name in keyof Fields]: ValueOf<Fields[Name]> };

/** How a reply is read, and its parts in the Lua by the outcome that they are of: '' of a reply without one. */
export interface Reply<Value> {
  readonly forms: Readonly<Record<string, Parts>>;
  readonly read: (reply: ScriptReply) => Value;
}

/** One value, which the Lua returns as it is. */
export function single<Value>({ read }: Read<Value>): Reply<Value> {
  return { forms: {}, read };
}

/** A reply that says nothing of use. */
export const nothing: Reply<void> = { forms: {}, read: () => undefined };

/** Several values. */
export function record<const Of extends Parts>(parts: Of): Reply<Values<Of>> {
  return { forms: { '': parts }, read: (reply) => readParts(parts, reply as ScriptReply[], 0) };
}

/** Values of which the field `outcome` says which they are. */
export function oneOf<const Forms extends Readonly<Record<string, Parts>>>(
  forms: Forms,
): Reply<{ [Outcome in keyof Forms]: { readonly outcome: Outcome } & Values<Forms[Outcome]> }[keyof Forms]> {
  return {
    forms,
    read(reply) {
      const replies = reply as ScriptReply[];
      const outcome = replyText(replies[0]);
      const parts = forms[outcome];
      if (!parts) throw new Error(`A script answered ${outcome}.`);
      return Object.assign(readParts(parts, replies, 1) as never, { outcome });
    },
  };
}

function readParts<Of extends Parts>(parts: Of, replies: readonly ScriptReply[], first: number): Values<Of> {
  const values: Record<string, unknown> = {};
  let at = first;
  for (const name in parts) {
    values[name] = parts[name]!.read(replies[at] as ScriptReply);
    at += 1;
  }
  return values as Values<Of>;
}

/** `usageKey` is `usage_key` in Lua. */
export function luaName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
