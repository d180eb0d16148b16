/** The rules of the house that no tool checks. `layers.config.mjs`, `knip.jsonc` and `biome.jsonc` have the others. */
import { KINDS } from '@loyalty/engine/benefits/register';
import { describe, expect, it } from 'vitest';
import { lineAt, parseSource, readSources, type SourceFile } from './source.ts';

const kinds = Object.keys(KINDS).join('|');

interface Rule {
  /** The files that it judges, by their paths. */
  readonly files: RegExp;
  /** What may not stand there; comments count where it says so. */
  readonly forbidden: RegExp;
  readonly isOfComments?: boolean;
  readonly refused: readonly string[];
  readonly passed: readonly string[];
}

const rules: Record<string, Rule> = {
  'pricing and money are arithmetic: no clock, no randomness, nothing that waits': {
    files: /^packages\/(?:engine\/src|contract\/src\/money)\//,
    forbidden: /\b(?:Date\.now|Math\.random)\b|\basync (?:function|\()|\bawait \w|\bnew Date\(\)|(?<!new )\bDate\(/g,
    refused: ['const now = Date.now();', 'new Date();', 'Math.random() < 0.5', 'export async function price() {}'],
    passed: ['const day = new Date(requestedAtMs).getUTCDay();', '// No Date.now here.'],
  },
  // A trace calls a lowered unit price by a name that a kind has too, whichever kind lowered it.
  'a kind of benefit is one file and one line of the register; nobody else names it, not even in a comment': {
    files: /^packages\/engine\/src\/(?!benefits\/|types\.ts$|trace\/trace\.ts$)/,
    forbidden: new RegExp(`\\b(?:${kinds})\\b`, 'g'),
    isOfComments: true,
    refused: ['const families = { line_percent: 0 };', '/** Every way to form a `bundle_price`. */'],
    passed: ["import { kindOf } from './benefits/register.ts';"],
  },
  'what depends on the kind belongs into its file': {
    files: /^packages\/engine\/src\/(?!benefits\/)/,
    forbidden: /\.kind\b|\bkind\s*[=!]==?|[=!]==?\s*kind\b|\bswitch \(kind\b/g,
    refused: ["const isCut = rule.kind === 'new_kind';", 'if (kind !== other) search();'],
    passed: ['const kind = kindOf(definition);'],
  },
  // The live page, which a browser runs, cannot import the catalogue.
  'an HTTP status number stands in the catalogue of the contract': {
    files: /^(?:src|packages\/(?:engine|tools|console)\/src\/(?!pages\/live\/))/,
    forbidden: new RegExp(
      [
        // As a library is given it, or compared with it.
        String.raw`(['"\x60])[1-5]\d\d(?: [A-Z][A-Za-z ]+)?\1|\bcase [1-5]\d\d:`,
        String.raw`\b\w*[sS]tatus(?:Code)?\b\s*(?:[:=]|===?|!==?|[<>]=?)\s*[1-5]\d\d\b(?!_)`,
        // Handed to whatever answers.
        String.raw`\b(?:[rR]eply|[aA]nswer|[rR]efuse|[rR]espond|[sS]end|[wW]rite|[sS]tatus)\w*\((?:[^()\n]*[\s,?:(])?[1-5]\d\d(?=\s*[,):?])`,
      ].join('|'),
      'g',
    ),
    refused: ["writeStatus('404 Not Found')", 'replyError(503, body)', '{ status: 200 }', 'send(isReady ? 1 : 503)'],
    passed: ['const deadlineMs = 400;\nwait(250);', '// A 404 says nothing.', 'reply(TRANSPORT_STATUS.notFound)'],
  },
  'a Redis key is built in one file': {
    files: /^(?:src\/(?!store\/keys\.ts$)|packages\/(?:console|tools)\/src\/)/,
    forbidden: /(?<!['"]nod)(['"`}\w]|\.\.\s*['"]):(?:rate|index|member|use|hold|calc|events)(?=[:'"`])/g,
    refused: ['const key = `${prefix}:rate`;', "local key = KEYS[1] .. ':hold:' .. ARGV[1]"],
    passed: ["import 'node:events';", "const entry = { member: 'x', use: 1 };"],
  },
};

const sources = readSources([
  'src',
  ...['contract', 'engine', 'console', 'tools'].map((name) => `packages/${name}/src`),
]);

function find({ files, forbidden, isOfComments = false }: Rule, judged: readonly SourceFile[]): string[] {
  return judged
    .filter(({ path }) => files.test(path))
    .flatMap(({ path, text, code }) => {
      const found = (isOfComments ? text : code).matchAll(forbidden);
      return [...found].map((match) => `${path}:${lineAt(text, match.index)}: ${match[0].trim()}`);
    });
}

describe.each(Object.entries(rules))('%s', (_name, rule) => {
  it('in this repository', () => {
    expect(sources.filter(({ path }) => rule.files.test(path)).length).toBeGreaterThan(5);
    expect(find(rule, sources)).toEqual([]);
  });

  const isFound = (text: string) => find({ ...rule, files: /./ }, [parseSource('src/a.ts', text)]).length > 0;

  it('refuses what it should, and nothing else', () => {
    const asLua = (text: string) => find({ ...rule, files: /./ }, [parseSource('a.lua', text)]).length > 0;
    for (const text of rule.refused) expect(text.startsWith('local') ? asLua(text) : isFound(text), text).toBe(true);
    for (const text of rule.passed) expect(isFound(text), text).toBe(false);
  });
});

/** Otherwise a test fails once in a while, and differently in another order of the files. */
it('random cases of tests are drawn from a seed', () => {
  const calls = readSources(['test', 'packages'], /\.ts$/).flatMap(randomCalls);
  expect(calls.length).toBeGreaterThan(10);
  expect(calls.filter(({ isSeeded }) => !isSeeded).map(({ place }) => place)).toEqual([]);
});

it('a call of fast-check has a seed of its own', () => {
  const text =
    'fc.assert(one, drawn(5));\nfc.assert(two);\nconst seed = { seed: 1, seed: 2 };\nfc.sample(all, { seed, numRuns: 3 });';
  expect(randomCalls(parseSource('a.ts', text)).map(({ isSeeded }) => isSeeded)).toEqual([true, false, true]);
});

/** The calls that draw random cases, and whether a seed stands between their parentheses. */
function randomCalls({ path, text, code }: SourceFile): { place: string; isSeeded: boolean }[] {
  return [...code.matchAll(/\bfc\s*\.\s*(?:assert|check|sample)\(/g)].map(({ 0: head, index }) => {
    let end = index + head.length;
    for (let open = 1; open > 0 && end < code.length; end += 1) {
      if (code[end] === '(') open += 1;
      if (code[end] === ')') open -= 1;
    }
    return {
      place: `${path}:${lineAt(text, index)}`,
      isSeeded: /\bdrawn\(|\bseed\b\s*[:,}]/.test(code.slice(index, end)),
    };
  });
}
