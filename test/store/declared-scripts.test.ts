/** The declarations of scripts: the Lua uses every name that it is given, and answers with those that are declared. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import type { ScriptReply } from '../../src/redis/scripts.ts';
import {
  fields,
  flag,
  luaName,
  number,
  numberFields,
  numbers,
  oneOf,
  optional,
  record,
  text,
  texts,
} from '../../src/store/codec.ts';
import { STORED_NAMES } from '../../src/store/stored-calculation.ts';
import { SCRIPTS } from '../support/scripts.ts';

/** Fields that are numbered pieces, and values of fields that have no such name. */
const [PIECES, VALUES] = [
  ['a', 'a0', 'b', 'g'],
  ['open', 'sold', 'superseded', 'expired', 'consume', 'give_back'],
];

const FOLDER = new URL('../../src/store/scripts/', import.meta.url);
const files = readdirSync(FOLDER);
const lua = files.filter((file) => file.endsWith('.lua') && !file.endsWith('.include.lua'));

test('each script has one declaration, in the file that it names', () => {
  expect([...SCRIPTS.keys()].sort()).toEqual(lua.map((file) => file.replace('.lua', '')).sort());
  for (const file of lua) {
    const [, at] = /^--- @declared "(.+)"$/m.exec(readFileSync(new URL(file, FOLDER), 'utf8')) ?? [];
    const declarations = readFileSync(new URL(`${at}.ts`, FOLDER), 'utf8');
    expect(declarations).toContain(`name: '${file.replace('.lua', '')}'`);
  }
});

test('fields of a calculation have the names of its one declaration', () => {
  const sources = files
    .filter((file) => file.endsWith('.lua'))
    .map((file) => readFileSync(new URL(file, FOLDER), 'utf8'));
  // A command may be of two lines. `set` is that of the commit, which writes most of the fields.
  const commands = /redis\.call\('H\w+', (?:calculation|superseded)_key,\s*((?:[^()]|\(\w+\))*)|\bset\(('\w+')/g;
  const texts = sources.flatMap((source) => [...source.matchAll(commands)].map(([, names, name]) => names ?? name!));
  const named = new Set(texts.flatMap((text) => [...text.matchAll(/'(\w+)'/g)].map(([, name]) => name!)));
  for (const value of [...PIECES, ...VALUES]) named.delete(value);
  expect([...named].sort()).toEqual([...STORED_NAMES].sort());
});

describe.each([...SCRIPTS])('%s', (name, { declared, source }) => {
  const text = readFileSync(new URL(`${name}.lua`, FOLDER), 'utf8').replaceAll(/--.*/g, '');
  const { keys, moreKeys, args, reply } = declared;

  it('is whole, and sees keys and arguments by their names alone', () => {
    expect(source).toMatch(/^#!lua/);
    expect(source).not.toMatch(/@include|@declared/);
    expect(text).not.toMatch(/KEYS|ARGV/);
  });

  it('uses every key and argument', () => {
    const names = [
      ...keys.map((key) => `${luaName(key)}_key`),
      ...[moreKeys ?? [], Object.keys(args)].flat().map(luaName),
    ];
    const unused = names.filter((each) => each !== 'any_key' && !new RegExp(`\\b${each}\\b`).test(text));
    expect(unused).toEqual([]);
  });

  it('gives every value of its replies, and every outcome', () => {
    // A value that is not declared is no script.
    const parts = Object.values(reply.forms).flatMap((form) => Object.keys(form).map(luaName));
    expect(parts.filter((part) => !new RegExp(`\\b${part} = `).test(text))).toEqual([]);
    const said = new Set([...text.matchAll(/\boutcome = '(\w+)'/g)].map(([, each]) => each));
    expect(said).toEqual(new Set(Object.keys(reply.forms).filter((outcome) => outcome !== '')));
    expect(source).not.toMatch(/\breply\(/);
  });
});

describe('a value', () => {
  const bytes = (...values: (string | number | null)[]): ScriptReply[] =>
    values.map((value) => (typeof value === 'string' ? Buffer.from(value) : value));

  it('is written as a word of a command', () => {
    expect([text.write('Ærøskøbing'), number.write(0.5), flag.write(true), flag.write(false)]).toEqual([
      ...['Ærøskøbing', 0.5, 1, 0],
    ]);
    expect([optional(number).write(0), optional(number).write(undefined)]).toEqual([0, '']);
  });

  it('is read from a reply', () => {
    expect(text.read(Buffer.from('å'))).toBe('å');
    expect(() => text.read(null)).toThrow('something else than a string');
    expect([number.read(7), number.read(Buffer.from('8'))]).toEqual([7, 8]);
    expect([flag.read(1), flag.read(0), flag.read(null)]).toEqual([true, false, false]);
    expect([Buffer.from(''), null].map(optional(text).read)).toEqual([undefined, undefined]);
    expect(optional(number).read(0)).toBe(0);
    expect(fields.read(bytes('a', '1', 'b', '2'))).toEqual(new Map(Object.entries({ a: '1', b: '2' })));
    expect(numberFields.read(bytes('a', '1'))).toEqual(new Map([['a', 1]]));
    expect(texts.read(bytes('a', 'b'))).toEqual(['a', 'b']);
    expect(numbers.read(bytes('1', null))).toEqual([1, undefined]);
  });

  it('is one of several, by their names and by the word that a reply begins with', () => {
    expect(record({ units: number, name: text }).read([7, Buffer.from('x')])).toEqual({ units: 7, name: 'x' });
    const { read } = oneOf({ held: {}, short: { left: number } });
    expect(read(bytes('held'))).toEqual({ outcome: 'held' });
    expect(read(bytes('short', 3))).toEqual({ outcome: 'short', left: 3 });
    expect(() => read(bytes('lost'))).toThrow('answered lost');
  });
});
