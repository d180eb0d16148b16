/** The declarations of scripts: the Lua uses every name that it is given, and answers with those that are declared. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { luaName } from '../../src/store/codec.ts';
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
    // Neither a text, nor the name of a value that is set or replied, is a use.
    const used = text.replaceAll(/'[^']*'/g, "''");
    const isUnused = (each: string) => !new RegExp(`(?<![.\\w])${each}\\b(?! = )`).test(used);
    const unused = names.filter((each) => each !== 'any_key' && isUnused(each));
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
