/** Errors of YAML in words, and where each value of a file stands. */
import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { findEncodingError } from '../../src/programme/text-encoding.ts';
import { parseYamlFile } from '../../src/programme/yaml-file.ts';

const parse = (text: string) => parseYamlFile({ name: 'x.yaml', text });

describe('an error of YAML', () => {
  const QUOTES =
    "one pair of quotes around the whole text; a quote within it is written twice: 'it''s', or as \\\" between \"";
  const COLON = 'quotes around a text with a colon, text: "Happy hour: 20 %", or the name on a line of its own';
  const SECOND = 'a second colon with a blank after it on one line';
  const NAME = 'name: value, with a blank after the colon, or - before the entry of a list';
  const COLUMN = 'a line that begins in another column than the lines around it';
  const COMMA = 'two entries within { } or [ ] without a comma between them';
  const A_COMMA = 'a comma after each entry, { from: 2026-12-01, to: 2026-12-24 }';
  const AGAIN = 'ordinary blanks: type this one again';
  const ANCHOR = 'quotes around a text that begins with *, or an anchor of this name (&) before it';
  const BLANK = (sign: string) => `a blank that is none to YAML, U+${sign}`;
  const starting = (sign: string) => `quotes around it: YAML keeps ${sign} at the beginning for itself`;

  it.each<[string, string, string, string]>([
    ['a:\n\tb: [1\n', '2:1', 'a tab at the beginning of the line', 'blanks: YAML indents by blanks alone'],
    ['a: b: c', '1:4', 'a second colon with a blank after it on one line', COLON],
    ['a: %x', '1:4', 'a text that begins with %', starting('%')],
    ['a: &', '1:4', 'a & or * without a name behind it', 'quotes around a text that begins with & or *'],
    ['a: 1\nb: 2\na : 3', '3:1', 'the name a a second time in one mapping', 'each name once'],
    ['a: [1, 2\nb: 3', '2:1', 'a [ that is never closed', 'the closing bracket on the same line or indented'],
    ['a: {b: 1\nc: 3', '2:1', 'a { that is never closed', 'the closing bracket on the same line or indented'],
    ['a:b\nc: 1', '1:1', 'a line without a name', NAME],
    ['a: 1\n---\nb: 2', '2:1', 'a line --- after which a second document begins', 'one document in a file'],
    ["a: 'it's'", '1:8', 'more after the end of a value', QUOTES],
    ["a: \"x\nb: 'y'", '1:4', 'a quote " that is never closed', QUOTES],
    ['a: "it"\nb: "x', '2:4', 'a quote " that is never closed', QUOTES],
    ['a:\n  - - b:   *x y\n', '2:15', 'a text that begins with *', starting('*')],
    ['a: "say *x y" z', '1:15', 'more after the end of a value', QUOTES],
    ['a: *x y # b', '1:7', 'a text that begins with *', starting('*')],
    ['a:\n  b: 1\n c: 2', '3:1', COLUMN, 'the same number of blanks before each name of a mapping'],
    ['- a: 1\n b: 2', '2:1', COLUMN, 'the names of one entry below each other, two blanks to the right of its -'],
    ['a:\n- b\nd', '3:1', 'd without a colon', 'name: value'],
    ['a: ]', '1:4', 'Unexpected flow-seq-end token in YAML stream: "]"', 'YAML 1.2'],
    ['a: ["b" "c"]', '1:9', COMMA, A_COMMA],
    ['a: { b: 1 c: 2 }', '1:9', COMMA, A_COMMA],
    ['- { text: Deal: 10 }', '1:11', SECOND, COLON],
    ['- { text: "Deal": 10 }', '1:11', SECOND, COLON],
    ['- { benefitId: a, odd: Deal: 10, percent: 5 }', '1:24', SECOND, COLON],
    ['- { text: Happy hour: 20 %, percent: 20 }', '1:11', SECOND, `${COLON}; between two entries a comma`],
    ['- { text: { nb: Kaffe, en: Happy hour: 20 % } }', '1:28', SECOND, `${COLON}; between two entries a comma`],
    ['- { text: { nb: Kaffe }, percent: 5 x: 2 }', '1:35', COMMA, A_COMMA],
    ['a:\n  - b: 1\n\u00a0\u00a0\u00a0\u00a0c: 2\n    d: 3', '3:1', BLANK('00A0'), AGAIN],
    ['a:\n  b:\u202f1\n  c: 2', '2:5', BLANK('202F'), AGAIN],
    ['a: x\u00a0y: z', '1:4', 'a second colon with a blank after it on one line', COLON],
    ['a: [*b, &b 1]', '1:5', '*b, a reference to nothing', ANCHOR],
  ])('of %j at %s', (text, place, found, allowed) => {
    const [first] = parse(text).faults;
    expect([`${first!.line}:${first!.column}`, first!.path, first!.found, first!.allowed]).toEqual([
      ...[place, `line ${first!.line}`, found, allowed],
    ]);
  });

  it('hides nothing beside it, except what a tab has made of the rest', () => {
    const found = (text: string) => parse(text).faults.map((fault) => fault.found);
    expect(found('a: [*b]\nc: *d')).toEqual(['*b, a reference to nothing', '*d, a reference to nothing']);
    expect([found('a:\n\tb: [1\n').length, found('a: 1\na: 2\na: 3').length]).toEqual([1, 2]);
  });

  it.each(['<<: 1', 'a: { <<: [1] }'])('is a merge key without a mapping: %s', (text) => {
    const found = 'a merge key << whose value is not a mapping';
    const allowed = '<<: *name, where &name stands at a mapping';
    expect(parse(text).faults).toEqual([{ file: 'x.yaml', path: '', found, allowed }]);
  });

  it('is a repetition without an end, or of more than a million values', () => {
    const found = 'aliases or merge keys that repeat too much, or contain themselves';
    const allowed = 'at most 1000000 values by repetition';
    const fault = { file: 'x.yaml', path: '', found, allowed };
    for (const text of ['a: &x { <<: *x }', 'a: &x [*x]']) expect(parse(text).faults).toEqual([fault]);
    const list = `a: &a [${'1,'.repeat(999)}]\nb: [${'*a,'.repeat(1_000)}`;
    expect([parse(`${list}]`).faults, parse(`${list}*a]`).faults]).toEqual([[], [fault]]);
    const pairs = `a: &a {${Array.from({ length: 499 }, (_, at) => `k${at}: 1,`).join('')}}\nb: [${'*a,'.repeat(1_001)}`;
    expect([parse(`${pairs}]`).faults, parse(`${pairs}*a]`).faults]).toEqual([[], [fault]]);
  });
});

describe('the place of a value', () => {
  const text = `a: &one { b: 1, "b.c": 2, list: [10, { d: 3 }] }
merged: { <<: *one, b: 4 }
both: { <<: [*one, { e: 5 }], f: 6 }
alias: *one
again: &one { b: 7 }
new: *one
empty:
`;
  const { positionOf, value } = parse(text);
  const placeOf = (path: string, key?: string) => {
    const { line, column } = positionOf(path, key);
    return `${line}:${column}`;
  };

  it('is where it is written, also through aliases and merge keys', () => {
    expect(value).toMatchObject({ merged: { b: 4, 'b.c': 2 }, both: { b: 1, e: 5, f: 6 }, new: { b: 7 } });
    const places = {
      '': '1:1',
      'a.b': '1:14',
      'a.b.c': '1:24',
      'a.list[1].d': '1:43',
      'merged.b': '2:24',
      'merged.b.c': '1:24',
      'both.b': '1:14',
      'both.e': '3:25',
      'alias.b': '1:14',
      'new.b': '5:18',
    };
    expect(Object.fromEntries(Object.keys(places).map((path) => [path, placeOf(path)]))).toEqual(places);
  });

  it('is that of the mapping or list that lacks it', () => {
    const lacking = { none: '1:1', 'a.none': '1:9', 'a.list[2]': '1:33', 'a.list[1].none': '1:38', 'empty.x': '7:7' };
    expect(Object.fromEntries(Object.keys(lacking).map((path) => [path, placeOf(path)]))).toEqual(lacking);
    // What has such a name elsewhere, or a part of it, is something else.
    expect(['a.bc.d', 'a.list.d[1]', 'd', 'a.d'].map((path) => placeOf(path))).toEqual(['1:9', '1:33', '1:1', '1:9']);
  });
});

describe('a file that is not UTF-8', () => {
  const allowed = 'UTF-8: save the file as UTF-8 (in a spreadsheet as "CSV UTF-8") and try again';
  const errorOf = (bytes: Uint8Array) => findEncodingError(bytes);

  it('is told with its line, as it reads in the encoding that was probably meant', () => {
    const latin = (text: string) => errorOf(Buffer.from(text, 'latin1'));
    expect([errorOf(Buffer.from('a: Blåbær\n')), errorOf(Buffer.from(''))]).toEqual([undefined, undefined]);
    expect(errorOf(Buffer.concat([Buffer.from('a: é\n'), Buffer.from('b:  Blåbær \nc: ø', 'latin1')]))).toEqual({
      line: 2,
      column: 7,
      allowed,
      found: 'bytes that are not UTF-8; as Windows-1252 they read "b:  Blåbær"',
    });
    expect(latin('\nø')).toMatchObject({ line: 2, column: 1 });
    const shown = (length: number) => latin('ø'.repeat(length))!.found.split(' read ')[1];
    expect([shown(60), shown(61)]).toEqual([`"${'ø'.repeat(60)}"`, `"${'ø'.repeat(60)}…"`]);
  });

  it('may be UTF-16, in either order of its bytes', () => {
    const found = (...bytes: number[]) => errorOf(Buffer.from(bytes))!.found;
    expect([found(0xff, 0xfe, 0x61, 0), found(0xfe, 0xff, 0, 0x61)]).toEqual(
      Array(2).fill('UTF-16, which is not UTF-8'),
    );
    for (const [first, second] of [
      [0xff, 0x61],
      [0x61, 0xfe],
      [0xff, 0xff],
    ] as const)
      expect(found(first, second)).toContain('as Windows-1252 they read');
  });

  it('is no file of an environment, whatever it says', () => {
    const encodingError = { line: 3, column: 5, found: 'f', allowed: 'a' };
    const file = parseYamlFile({ name: 'x.yaml', text: 'a: 1 # x', encodingError });
    expect([file.name, file.value]).toEqual(['x.yaml', undefined]);
    expect(file.faults).toEqual([{ file: 'x.yaml', path: 'line 3', ...encodingError }]);
    expect([file.positionOf('a'), file.findWritingWarnings()]).toEqual([{ line: 3, column: 5 }, []]);
  });
});

describe('a # that cut a text', () => {
  const cutOf = (text: string) =>
    parse(text)
      .findWritingWarnings()
      .map(({ line, column, path, text: words }) => `${line}:${column} ${path} ${words}`);
  const told = (place: string, cut: string, whole: string) =>
    `${place} the text ends before "${cut}", which is a comment: write "${whole}" with its quotes, or two blanks before # of a comment`;

  it('is told behind what people read, or where it is a number to them', () => {
    expect(cutOf('note: a # b')).toEqual([told('1:7 note', '# b', 'a # b')]);
    expect(cutOf('text: { nb: a # b\n }')).toEqual([told('1:13 text.nb', '# b', 'a # b')]);
    expect(cutOf('name: a #1  \nb: c')).toEqual([told('1:7 name', '#1', 'a #1')]);
    expect(cutOf('other: a   #1 of\r\nb: c')).toEqual([told('1:8 other', '#1 of', 'a #1 of')]);
    expect(cutOf('list:\n  - a: 1\n  - b:\n      - memberLabel: x # y')).toEqual([
      told('4:22 list[1].b[0].memberLabel', '# y', 'x # y'),
    ]);
  });

  it('is none where it is a comment', () => {
    const comments = [
      'other: a # b',
      'note: a  # b',
      'note: "a" #b',
      'note: 7 #b',
      'other: a ## b',
      '- a #b',
      'note:\n  #b\n  a',
    ];
    expect(comments.flatMap(cutOf)).toEqual([]);
    expect(cutOf('')).toEqual([]);
  });
});
