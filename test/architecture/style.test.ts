import { describe, expect, it } from 'vitest';
import * as rules from './rules.ts';
import { parseSource, readSource, readSources } from './source.ts';
import { unusedExports } from './unused.ts';

const service = readSources(['src', 'workers']);
const house = [...service, ...readSources(['packages'])].filter(({ path }) => !/^packages\/[^/]+\/test\//.test(path));
const scripts = readSources(['src'], ['.lua']);
const pages = readSources(['src'], ['.js', '.css', '.html']);
const everything = readSources(['src', 'workers', 'packages', 'bench', 'scripts', 'test']);

/** Each rule with the files it judges here, sources that it must refuse, and sources that it must let pass. */
const cases: Record<string, Case> = {
  'a room imports only rooms below it': {
    rule: rules.importDirection,
    files: house,
    refused: [
      { 'src/contract/a.ts': "import { b } from '../money/b.ts';" },
      { 'src/store/a.ts': "import { b } from '../gateway/b.ts';" },
      { 'src/calls/a.ts': "import { run } from '../threads/pool.ts';" },
      { 'src/calls/a.ts': "import type { Pool } from '../threads/pool.ts';" },
      { 'src/gateway/a.ts': "const work = import('../calls/run.ts');" },
      { 'src/pricing/a.ts': "export * from '../store/b.ts';" },
      { 'src/gateway/a.ts': "import '../main.ts';" },
      { 'src/ops/a.ts': "import { readSettings } from '../settings.ts';" },
      { 'src/gateway/a.ts': "import {\n  type A,\n  type B,\n} from '../pricing/b.ts';" },
      { 'src/basket/a.ts': "import { sign } from '../../test/support/signer.ts';" },
      { 'src/store/a.ts': "const entry = new URL('../../workers/pricing.ts', import.meta.url);" },
      { 'src/main.ts': "import { banner } from './banner.ts';" },
      { 'src/main.ts': "import { serve } from './gateway/server.ts';" },
      { 'src/cellar/a.ts': '' },
      { 'packages/client/src/a.ts': "import { keys } from '../../../src/store/keys.ts';" },
      { 'packages/client/src/a.ts': "import type { Task } from '../../../src/calls/messages.ts';" },
      { 'packages/conformance/src/a.ts': "import { serve } from '../../../src/gateway/server.ts';" },
      { 'packages/conformance/src/a.ts': "import { call } from '../../client/src/client.ts';" },
      { 'packages/cellar/src/a.ts': '' },
    ],
    passed: [
      { 'src/gateway/a.ts': "import type { Task } from '../calls/messages.ts';\nimport { c } from './c.ts';" },
      { 'src/gateway/a.ts': "import { pool } from '../threads/pool.ts';\n// import { x } from '../pricing/x.ts';" },
      { 'src/main.ts': "import { serve } from './process/service.ts';\nimport { read } from './settings.ts';" },
      { 'src/threads/a.ts': "const entry = new URL('../../workers/pricing.ts', import.meta.url);" },
      { 'src/store/a.ts': 'const help = "\\nimport { x } from \'../gateway/x.ts\';";' },
      { 'packages/client/src/a.ts': "import { refuse } from '../../../src/contract/errors.ts';" },
    ],
  },
  'nothing goes in circles': {
    rule: rules.noCircles,
    files: everything,
    refused: [
      { 'src/a/a.ts': "import { b } from './b.ts';", 'src/a/b.ts': "import type { A } from './a.ts';" },
      {
        'src/a/a.ts': "import { b } from '../b/b.ts';",
        'src/b/b.ts': "import { c } from '../c/c.ts';",
        'src/c/c.ts': "import { a } from '../a/a.ts';",
      },
    ],
    passed: [
      {
        'src/a/a.ts': "import { b } from './b.ts';\nimport { c } from './c.ts';",
        'src/a/b.ts': "import { c } from './c.ts';",
        'src/a/c.ts': '',
      },
    ],
  },
  'pricing and money are pure': {
    rule: rules.pureRooms,
    files: service,
    refused: [
      { 'src/pricing/a.ts': "import { Ajv } from 'ajv';" },
      { 'src/pricing/a.ts': "import type { Static } from 'typebox';" },
      { 'src/money/a.ts': "import { readFileSync } from 'node:fs';" },
      { 'src/pricing/a.ts': 'const now = Date.now();' },
      { 'src/pricing/a.ts': 'const now = new Date();' },
      { 'src/pricing/a.ts': 'const now = Date();' },
      { 'src/pricing/a.ts': 'const now = `at ${performance.now()}`;' },
      { 'src/money/a.ts': 'const coin = Math.random() < 0.5;' },
      { 'src/pricing/a.ts': 'export async function price() {}' },
      { 'src/pricing/a.ts': 'const price = (): Promise<number> => later;' },
      { 'src/pricing/a.ts': 'if (process.env.DEBUG) debug();' },
    ],
    passed: [
      {
        'src/pricing/a.ts':
          '// No Date.now here, and nothing to await.\nconst day = new Date(requestedAtMs).getUTCDay();',
      },
      { 'src/pricing/a.ts': "const text = 'async';\nconst note = `await ${text} Math.random`;" },
      { 'src/store/a.ts': "import { Redis } from 'ioredis';\nawait Promise.all([Date.now()]);" },
    ],
  },
  'a kind of benefit is one file and one line of the register': {
    rule: rules.kindsAtHome,
    files: service,
    refused: [
      { 'src/pricing/a.ts': "const isCut = rule.kind === 'new_kind';" },
      { 'src/pricing/search/a.ts': 'const { kind } = rule;\nif (kind !== other) search();' },
      { 'src/pricing/a.ts': 'switch (definition.kind) {\n}' },
      { 'src/pricing/a.ts': 'const families = { line_percent: 0 };' },
      { 'src/pricing/a.ts': '/** Every way to form a `bundle_price`. */' },
      { 'src/pricing/trace/a.ts': "const rule = 'unit_price';" },
      { 'src/pricing/a.ts': "import { linePercent } from './benefits/line-percent.ts';" },
      { 'src/programme/a.ts': "import type { Kind } from '../pricing/benefits/kind.ts';" },
    ],
    passed: [
      {
        'src/pricing/benefits/line-percent.ts':
          "const name = 'line_percent';\nif (definition.kind === name) compile();",
      },
      { 'src/pricing/a.ts': "import { kindOf } from './benefits/register.ts';\nconst kind = kindOf(definition);" },
      { 'src/programme/a.ts': 'const fields = { line_percent: {} };\nconst check = checks.get(benefit.kind);' },
    ],
  },
  'uWebSockets.js is imported only in gateway': {
    rule: rules.uwsOnlyInGateway,
    files: service,
    refused: [
      { 'src/ops/a.ts': "import { App } from 'uWebSockets.js';" },
      { 'src/main.ts': "import type { HttpRequest } from 'uWebSockets.js';" },
      { 'workers/a.ts': "const uws = await import('@uwsjs/core');" },
    ],
    passed: [{ 'src/gateway/a.ts': "import uws from 'uWebSockets.js';" }],
  },
  'process.env is read in one file': {
    rule: rules.environmentOnlyInSettings,
    files: service,
    refused: [
      { 'src/main.ts': 'const port = process.env.PORT;' },
      { 'workers/a.ts': "const level = process.env['LOG_LEVEL'];" },
      { 'src/ops/a.ts': "const { env } = process['env'];" },
      { 'src/ops/a.ts': "import { env } from 'node:process';" },
    ],
    passed: [
      { 'src/settings.ts': 'export const read = (env = process.env) => env;' },
      { 'src/ops/a.ts': '// Not process.env: see settings.\nprocess.exit(0);' },
    ],
  },
  'HTTP status numbers stand in contract': {
    rule: rules.statusOnlyInContract,
    files: service,
    refused: [
      { 'src/gateway/a.ts': "response.writeStatus('404 Not Found');" },
      { 'src/gateway/a.ts': 'reply(response, 1);\nreplyError(503, body);' },
      { 'src/ops/a.ts': 'const answer = { status: 200, body };' },
      { 'src/ops/a.ts': "sendJson(response, 404, { error: 'no' });" },
      { 'src/ops/a.ts': 'sendJson(response, isReady ? green : 503, body);' },
      { 'src/ops/a.ts': 'if (answer.status === 409) stop();' },
      { 'src/ops/a.ts': 'if (statusCode >= 500) retry();' },
      { 'src/ops/a.ts': 'switch (code) {\n  case 429:\n    wait();\n}' },
    ],
    passed: [
      { 'src/contract/errors.ts': 'export const errors = { invalid_request: { status: 400 } };' },
      { 'src/threads/a.ts': 'const deadlineMs = 400;\nconst limits = { maximumLines: 200 };\nwait(250);' },
      { 'src/gateway/a.ts': '// A 404 says nothing.\nreply(TRANSPORT_STATUS.notFound);' },
    ],
  },
  'Redis keys are built in one file': {
    rule: rules.keysOnlyInOneFile,
    files: [...service, ...scripts],
    refused: [
      { 'src/store/rate-limit.ts': 'const key = `${prefix}:rate`;' },
      { 'src/store/calculations.ts': "const key = prefix + ':index:' + calculationId;" },
      { 'src/ops/a.ts': 'const key = `loyalty:staging:member:{${member}}`;' },
      { 'src/store/scripts/a.lua': "local key = KEYS[1] .. ':hold:' .. ARGV[1]" },
    ],
    passed: [
      { 'src/store/keys.ts': 'export const rateKey = (prefix: string) => `${prefix}:rate`;' },
      { 'src/store/a.ts': "import { EventEmitter } from 'node:events';" },
      { 'src/store/a.ts': "const entry = { member: 'x', use: 1 };\nconst name = late ? hold :use;" },
      { 'src/store/scripts/a.lua': "-- KEYS[1] …:hold:{M}\nredis.call('HGET', KEYS[1], ARGV[1])" },
    ],
  },
  'what is exported is imported': {
    rule: unusedExports(isEntry),
    files: [...everything, ...readSources(['src'], ['.js']), readSource('vitest.config.ts')],
    refused: [
      { 'src/a/a.ts': 'export const a = 1;\nconst b = a;' },
      { 'src/a/a.ts': 'export function a() {}', 'src/a/b.ts': "import { b } from './a.ts';" },
      { 'src/a/a.ts': 'export interface A {}' },
    ],
    passed: [
      { 'src/a/a.ts': 'export const a = 1;', 'src/a/b.ts': "import { type C, a as b } from './a.ts';" },
      { 'src/a/a.ts': 'export const a = 1;', 'src/a/b.ts': "import * as all from './a.ts';" },
      { 'src/a/a.ts': 'export const a = 1;', 'src/a/b.ts': "const { a } = await import('./a.ts');" },
      { 'src/a/a.ts': 'export interface A {}\nconst a = (b: A) => b;' },
      { 'workers/a.ts': 'export const a = 1;' },
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
  'a file is short enough to be read whole': {
    rule: rules.filesAreShort,
    files: [...everything, ...scripts, ...pages],
    refused: [{ 'src/a/a.ts': 'one();\n'.repeat(rules.LONGEST_FILE_LINES + 1) }],
    passed: [{ 'src/a/a.ts': 'one();\n'.repeat(rules.LONGEST_FILE_LINES) }],
  },
};

/** Threads' entries, the entries of packages, stand-ins that a configuration names, and declarations: their users are elsewhere. */
function isEntry(path: string): boolean {
  return /^workers\/|^packages\/[^/]+\/src\/(?:index|kit)\.ts$|^test\/mutants\/lua\/(?:tests|called)\.ts$|\.d\.ts$/.test(
    path,
  );
}

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

describe('the floor plan', () => {
  it('has no permission that nobody uses', () => {
    expect(rules.deadPermissions(house)).toEqual([]);
  });

  it('can be kept in mind', () => {
    const { rooms, arrows } = rules.floorPlan(house);
    expect(rooms.length).toBeLessThanOrEqual(rules.MOST_ROOMS_IN_SRC);
    expect(arrows.length).toBeLessThan(rules.MOST_ARROWS);
  });
});

describe('the reader of sources', () => {
  it('finds what the rules judge', () => {
    expect(service.map((file) => file.path)).toContain('src/settings.ts');
    expect(service.flatMap((file) => file.imports).length).toBeGreaterThan(50);
  });

  it('tells code from comments, strings, patterns and templates', () => {
    const { bare } = parseSource(
      'src/a.ts',
      "a('x'); // y\nb(/[/']z/.test(c)); /* w */ d(`e${f({ g: `h` })}i`) / 2; j();",
    );
    expect(bare.replace(/ +/g, ' ')).toBe('a( ); \nb( .test(c)); d( ${f({ g: })} ) / 2; j();');
  });

  it.each([
    ["import a from 'a';", ['a']],
    ["import a, { b } from 'a';\nimport * as c from 'c';", ['a', 'c']],
    ["export { a } from './a.ts';\nexport type { B } from './b.ts';", ['./a.ts', './b.ts']],
    ["const worker = new URL('./worker.ts', import.meta.url);\nconst base = new URL('http://a');", ['./worker.ts']],
    ["const a = await import('./a.ts');", ['./a.ts']],
    ["const type = 1;\nconst from = 'b';", []],
  ])('reads the imports of %j', (text, specifiers) => {
    expect(parseSource('src/a.ts', text).imports.map(({ specifier }) => specifier)).toEqual(specifiers);
  });
});
