/** The declarations of the scripts against the headers of the Lua: neither changes without the other. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { loadScripts } from '../../src/redis/scripts.ts';
import {
  bytes,
  code,
  counted,
  fields,
  flag,
  list,
  listed,
  nothing,
  number,
  numbers,
  oneOf,
  optional,
  rest,
  restNumbers,
  type ScriptDeclaration,
  single,
  text,
  texts,
} from '../../src/store/codec.ts';
import { ROOT } from '../architecture/source.ts';

const FOLDER = join(ROOT, 'src/store/scripts');
const scripts = loadScripts(new URL('../../src/store/scripts/', import.meta.url));
const modules = await Promise.all(globSync('*.ts', { cwd: FOLDER }).map((file) => import(join(FOLDER, file))));
const declarations: ScriptDeclaration<string, never, unknown>[] = modules
  .flatMap((module) => Object.values(module))
  .flatMap((each) => (typeof each === 'function' && 'declared' in each ? [each.declared] : [])) as never;

/** The comment that a script begins with, as one text. */
function headerOf(source: string): string {
  const lines = source.split('\n').slice(1);
  const end = lines.findIndex((line) => !line.startsWith('-- '));
  return lines
    .slice(0, end)
    .map((line) => line.replace(/^--\s+/, ''))
    .join(' ');
}

const inWords = (header: string, list: 'KEYS' | 'ARGV') =>
  [...header.matchAll(new RegExp(`\\b${list}(?:\\[(\\d+)\\])? +(?:… )?(\\w+)`, 'g'))].map(([, number, name]) => ({
    number: number === undefined ? undefined : Number(number),
    name,
  }));

/** What a header says of the replies: the names of the parts by the word that a reply begins with, or by '' or a number. */
function repliesIn(header: string): Map<string, string> {
  const said = header.slice(header.indexOf('Returns '));
  const lists = [...said.matchAll(/\{ (?:'(\w+)')?([^}]*)\}/g)];
  return new Map(lists.map(([, word = '', parts = '']) => [word, parts]));
}

describe.each(declarations.map((declared) => [declared.name, declared] as const))('%s', (name, declared) => {
  const script = scripts.get(name)!;
  const header = headerOf(readFileSync(join(FOLDER, `${name}-${script.keyCount ?? 'n'}.lua`), 'utf8'));

  it('has the keys of its header', () => {
    const keys = inWords(header, 'KEYS');
    const names = [...declared.keys, ...(declared.moreKeys === undefined ? [] : [declared.moreKeys])];
    expect(keys.map((key) => key.name)).toEqual(names);
    expect(keys.map((key) => key.number)).toEqual(names.map((_key, at) => at + 1));
    expect(script.keyCount).toBe(declared.moreKeys === undefined ? declared.keys.length : undefined);
  });

  it('has the arguments of its header, in their order', () => {
    const args: readonly { readonly name: string; readonly takes: string }[] = declared.args;
    const said = inWords(header, 'ARGV');
    expect(said.map((argument) => argument.name)).toEqual(args.map((argument) => argument.name));
    // What comes after a counted argument has no number of its own.
    const fixed = args.findIndex(({ takes }) => takes === 'counted');
    const numbered = fixed === -1 ? args : args.slice(0, fixed + 1);
    const numbers = args.map((_argument, at) => (at < numbered.length ? at + 1 : undefined));
    expect(said.map((argument) => argument.number)).toEqual(numbers);
    expect(args.slice(0, -1).every(({ takes }) => takes !== 'rest')).toBe(true);
  });

  it('calls keys and arguments by these names in its text', () => {
    for (const [table, declaredNames, ending] of [
      ['KEYS', declared.keys, '_key'],
      ['ARGV', (declared.args as readonly { readonly name: string }[]).map((argument) => argument.name), ''],
    ] as const) {
      const [, locals] = new RegExp(`^local ([\\w,\\s]+?) = unpack\\(${table}\\b`, 'm').exec(script.source) ?? [];
      if (locals === undefined) continue;
      const named = locals.split(/,\s*/);
      const expected = declaredNames
        .slice(0, named.length)
        .map((each) => each.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
      expect(named).toEqual(expected.map((each) => each + ending));
    }
  });

  it('has the replies of its header', () => {
    const { forms } = declared.reply;
    const said = repliesIn(header);
    const words = Object.keys(forms).filter((word) => /^[a-z]/.test(word));
    expect([...said.keys()].filter((word) => word !== '').sort()).toEqual(words.sort());
    for (const word of words) {
      const parts = [...said.get(word)!.matchAll(/, (?:… )?(\w+)/g)].map(([, part]) => part);
      expect([word, ...parts]).toEqual([word, ...forms[word]!]);
    }
    const parts = forms['']?.map((part) => new RegExp(`\\b${part}\\b`).test(header.slice(header.indexOf('Returns '))));
    expect(parts?.every(Boolean)).not.toBe(false);
    // What the Lua returns begins with these words, and with no other.
    const returned = [...script.source.matchAll(/(?:return|=|,) \{ '(\w+)'[,\s}]/g)].map(([, word]) => word!);
    if (words.length > 0) expect([...new Set(returned.filter((word) => !isName(word)))].sort()).toEqual(words);
  });
});

/** Lists of names of fields, which are no replies. */
const isName = (word: string) => ['fp', 'clock'].includes(word);

describe('a value', () => {
  const words: (string | number | Buffer)[] = [];
  const written = (write: (into: typeof words) => void) => {
    words.length = 0;
    write(words);
    return [...words];
  };
  const reply = (...values: (string | number | null)[]) =>
    values.map((value) => (typeof value === 'string' ? Buffer.from(value) : value));

  it('is written as a word of a command', () => {
    expect(written((into) => text('name').write('Ærøskøbing', into))).toEqual(['Ærøskøbing']);
    expect(written((into) => number('name').write(0.5, into))).toEqual([0.5]);
    expect(written((into) => flag('name').write(true, into))).toEqual([1]);
    expect(written((into) => flag('name').write(false, into))).toEqual([0]);
    expect(written((into) => optional(number('name')).write(0, into))).toEqual([0]);
    expect(written((into) => optional(number('name')).write(undefined, into))).toEqual(['']);
    expect(written((into) => rest('name').write(['a', 1], into))).toEqual(['a', 1]);
    expect(written((into) => counted('name').write(['a', 1], into))).toEqual([2, 'a', 1]);
  });

  it('is read from a reply', () => {
    expect(text('name').read(reply('x', 'å'), 1)).toBe('å');
    expect(() => text('name').read([null], 0)).toThrow('something else than a string');
    expect(bytes('name').read(reply('x'), 0)).toEqual(Buffer.from('x'));
    expect([number('name').read([7], 0), number('name').read(reply('8'), 0)]).toEqual([7, 8]);
    expect([flag('name').read([1], 0), flag('name').read([0], 0)]).toEqual([true, false]);
    const missing = [reply(''), [null], []].map((replies) => optional(text('name')).read(replies, 0));
    expect(missing).toEqual([undefined, undefined, undefined]);
    expect(optional(number('name')).read([0], 0)).toBe(0);
    expect(fields('name').read([reply('a', '1', 'b', '2')], 0)).toEqual(new Map(Object.entries({ a: '1', b: '2' })));
    expect(texts('name').read([reply('a', 'b')], 0)).toEqual(['a', 'b']);
    expect(numbers('name').read([reply('1', null)], 0)).toEqual([1, undefined]);
    expect(restNumbers('name').read(reply('x', 'a', '1', 'b') as never, 3).size).toBe(1);
  });
});

describe('a reply', () => {
  it('is one value, a list of parts, a list of texts, a number for a word, or nothing', () => {
    expect(single(number('units')).read(7)).toBe(7);
    expect(list(number('units'), text('name')).read([7, Buffer.from('x')])).toEqual({ units: 7, name: 'x' });
    expect(listed('ids').read([Buffer.from('a'), Buffer.from('b')])).toEqual(['a', 'b']);
    expect(code({ 1: 'done', [-1]: 'missing' }).read(-1)).toBe('missing');
    expect(nothing.read(0)).toBeUndefined();
  });

  it('begins with a word that is declared', () => {
    const { read } = oneOf({ held: [], short: [number('left')] });
    expect(read([Buffer.from('held')])).toEqual({ outcome: 'held' });
    expect(read([Buffer.from('short'), 3])).toEqual({ outcome: 'short', left: 3 });
    expect(() => read([Buffer.from('lost')])).toThrow('answered lost');
  });
});

test('each script has one declaration', () => {
  const names = declarations.map(({ name }) => name);
  expect(names.sort()).toEqual([...scripts.keys()].sort());
});
