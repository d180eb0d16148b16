import { describe, expect, it } from 'vitest';
import * as rules from './rules.ts';
import { parseSource, readSources } from './source.ts';

const service = readSources([
  'src',
  'workers',
  ...['contract', 'engine', 'console', 'tools'].map((name) => `packages/${name}/src`),
]);
const scripts = readSources(['src'], ['.lua']);
const everything = readSources(['src', 'workers', 'packages', 'bench', 'scripts', 'test']);

/** Each rule with the files it judges here, sources that it must refuse, and sources that it must let pass. */
const cases: Record<string, Case> = {
  'pricing and money are pure': {
    rule: rules.pureLayers,
    files: service,
    refused: [
      { 'packages/engine/src/a.ts': 'const now = Date.now();' },
      { 'packages/engine/src/a.ts': 'const now = new Date();' },
      { 'packages/contract/src/money/a.ts': 'const coin = Math.random() < 0.5;' },
      { 'packages/engine/src/a.ts': 'export async function price() {}' },
    ],
    passed: [
      {
        'packages/engine/src/a.ts':
          '// No Date.now here, and nothing to await.\nconst day = new Date(requestedAtMs).getUTCDay();',
      },
      { 'packages/engine/src/a.ts': "const text = 'async';\nconst note = `await ${text} Math.random`;" },
      { 'src/store/a.ts': "import { Redis } from 'ioredis';\nawait Promise.all([Date.now()]);" },
    ],
  },
  'a kind of benefit is one file and one line of the register': {
    rule: rules.kindsAtHome,
    files: service,
    refused: [
      { 'packages/engine/src/a.ts': "const isCut = rule.kind === 'new_kind';" },
      { 'packages/engine/src/search/a.ts': 'const { kind } = rule;\nif (kind !== other) search();' },
      { 'packages/engine/src/a.ts': 'const families = { line_percent: 0 };' },
      { 'packages/engine/src/a.ts': '/** Every way to form a `bundle_price`. */' },
      { 'packages/engine/src/trace/a.ts': "const rule = 'unit_price';" },
    ],
    passed: [
      {
        'packages/engine/src/benefits/line-percent.ts':
          "const name = 'line_percent';\nif (definition.kind === name) compile();",
      },
      {
        'packages/engine/src/a.ts':
          "import { kindOf } from './benefits/register.ts';\nconst kind = kindOf(definition);",
      },
      { 'src/programme/a.ts': 'const fields = { line_percent: {} };\nconst check = checks.get(benefit.kind);' },
    ],
  },
  'HTTP status numbers stand in contract': {
    rule: rules.statusOnlyInContract,
    files: service,
    refused: [
      { 'src/gateway/a.ts': "response.writeStatus('404 Not Found');" },
      { 'src/gateway/a.ts': 'reply(response, 1);\nreplyError(503, body);' },
      { 'packages/console/src/a.ts': 'const answer = { status: 200, body };' },
      { 'packages/console/src/a.ts': 'sendJson(response, isReady ? green : 503, body);' },
      { 'packages/console/src/a.ts': 'if (statusCode >= 500) retry();' },
      { 'packages/console/src/a.ts': 'switch (code) {\n  case 429:\n    wait();\n}' },
    ],
    passed: [
      { 'packages/contract/src/errors.ts': 'export const errors = { invalid_request: { status: 400 } };' },
      { 'src/threads/a.ts': 'const deadlineMs = 400;\nconst limits = { maximumLines: 200 };\nwait(250);' },
      { 'src/gateway/a.ts': '// A 404 says nothing.\nreply(TRANSPORT_STATUS.notFound);' },
    ],
  },
  'Redis keys are built in one file': {
    rule: rules.keysOnlyInOneFile,
    files: [...service, ...scripts],
    refused: [
      { 'src/store/rate-limit.ts': 'const key = `${prefix}:rate`;' },
      { 'packages/console/src/a.ts': 'const key = `loyalty:staging:member:{${member}}`;' },
      { 'src/store/scripts/a.lua': "local key = KEYS[1] .. ':hold:' .. ARGV[1]" },
    ],
    passed: [
      { 'src/store/keys.ts': 'export const rateKey = (prefix: string) => `${prefix}:rate`;' },
      { 'src/store/a.ts': "import { EventEmitter } from 'node:events';" },
      { 'src/store/a.ts': "const entry = { member: 'x', use: 1 };\nconst name = late ? hold :use;" },
      { 'src/store/scripts/a.lua': "-- KEYS[1] …:hold:{M}\nredis.call('HGET', KEYS[1], ARGV[1])" },
    ],
  },
  'random cases are drawn from a seed': {
    rule: rules.seededCases,
    files: everything,
    refused: [
      { 'test/a.test.ts': 'fc.assert(fc.property(fc.string(), holds));' },
      { 'test/a.test.ts': 'fc.assert(fc.property(fc.string(), holds), drawn(5));\nfc.sample(fc.string());' },
    ],
    passed: [
      { 'test/a.test.ts': 'fc.assert(fc.property(fc.string(), holds), drawn(5));' },
      { 'test/a.test.ts': 'fc.assert(fc.property(fc.string(), holds), { numRuns: 5, seed: 1 });' },
    ],
  },
};

interface Case {
  readonly rule: rules.Rule;
  readonly files: ReturnType<typeof readSources>;
  readonly refused: readonly Record<string, string>[];
  readonly passed: readonly Record<string, string>[];
}

function judge(rule: rules.Rule, sources: Record<string, string>): string[] {
  return rule(Object.entries(sources).map(([path, text]) => parseSource(path, text)));
}

describe.each(Object.entries(cases))('%s', (_name, { rule, files, refused, passed }) => {
  it('holds in this repository', () => {
    expect(rule(files)).toEqual([]);
  });

  it.each(refused)('refuses %j', (sources) => {
    expect(judge(rule, sources)).not.toEqual([]);
  });

  it.each(passed)('lets pass %j', (sources) => {
    expect(judge(rule, sources)).toEqual([]);
  });
});

describe('the reader of sources', () => {
  it('finds what the rules judge', () => {
    expect(service.map((file) => file.path)).toContain('src/settings.ts');
  });

  it('tells code from comments, strings, patterns and templates', () => {
    const { bare } = parseSource(
      'src/a.ts',
      "a('x'); // y\nb(/[/']z/.test(c)); /* w */ d(`e${f({ g: `h` })}i`) / 2; j();",
    );
    expect(bare.replace(/ +/g, ' ')).toBe('a( ); \nb( .test(c)); d( f({ g: }) ) / 2; j();');
  });
});
