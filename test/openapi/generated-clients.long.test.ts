/**
 * Three generators read the document, and their results call the service: types for TypeScript, a client for TypeScript,
 * classes for Python. Each sells a basket and reports it, and takes a reason that does not exist yet.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../architecture/source.ts';
import { temporaryDirectory } from '../support/cleanup.ts';
import { useSharedService } from '../support/shared-service.ts';
import { areGeneratorsInstalled, GENERATORS } from './generators/installed.ts';
import { CLIENT_PROGRAM, GENERATE, PYTHON_PROGRAM, TYPES_PROGRAM } from './generators/programs.ts';
import { document, stagingConfiguration } from './support.ts';

const RUN_LIMIT_MS = 120_000;
const isInstalled = areGeneratorsInstalled();
const hasPython = spawnSync('python3', ['--version'], { timeout: RUN_LIMIT_MS }).status === 0;
const because = isInstalled ? '' : '; skipped, because the generators are not installed (npm test does it)';

const stage = useSharedService(stagingConfiguration());
let folder = '';

async function run(program: string, args: readonly string[]): Promise<{ output: string; status: number | null }> {
  const env = {
    PATH: process.env.PATH ?? '',
    BASE: stage.service.baseUrl,
    SECRET: stage.caller.secret,
    PYTHONPATH: join(ROOT, 'docs', 'snippets'),
  };
  const child = spawn(program, [...args], {
    cwd: folder,
    env: { ...env, PYTHONDONTWRITEBYTECODE: '1' },
    timeout: RUN_LIMIT_MS,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [status] = (await once(child, 'close')) as [number | null];
  return { output, status };
}

/** A machine that stands still gets a right service to refuse, and these programs make one attempt each. */
const MOST_TRIES = 20;

async function sell(program: string, args: readonly string[]): Promise<{ output: string; status: number | null }> {
  for (let tries = 1; ; tries += 1) {
    const ran = await run(program, args);
    if (
      ran.output === SOLD ||
      tries === MOST_TRIES ||
      !/unavailable|undefined|KeyError|AssertionError/.test(ran.output)
    )
      return ran;
  }
}

/** Checks the types of a program and of what it imports, as strictly as a caller may. */
function typeCheck(file: string): Promise<{ output: string; status: number | null }> {
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const module = ['--module', 'nodenext', '--target', 'es2024', '--allowImportingTsExtensions', '--noEmit', '--strict'];
  const types = ['--skipLibCheck', '--types', 'node', '--typeRoots', join(ROOT, 'node_modules', '@types')];
  return run(process.execPath, [compiler, '--ignoreConfig', ...module, ...types, file]);
}

const SOLD = 'applied 6240, unchanged no_applicable_benefits, recorded, invalid_signature\n';

beforeAll(async () => {
  if (!isInstalled) return;
  folder = temporaryDirectory();
  symlinkSync(join(GENERATORS, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document));
  for (const [name, text] of Object.entries({
    'types-program.ts': TYPES_PROGRAM,
    'client-program.ts': CLIENT_PROGRAM,
    'program.py': PYTHON_PROGRAM,
    'generate.mjs': GENERATE,
  })) {
    writeFileSync(join(folder, name), text);
  }
  const { output, status } = await run(process.execPath, ['generate.mjs']);
  if (status !== 0) throw new Error(`a generator refuses the document: ${output}`);
}, RUN_LIMIT_MS);

describe.each([
  ['the types of openapi-typescript', 'types-program.ts'],
  ['the client of @hey-api/openapi-ts', 'client-program.ts'],
])('%s', (_, file) => {
  test.skipIf(!isInstalled)(`compile, and sell against the service${because}`, { timeout: RUN_LIMIT_MS }, async () => {
    expect(await typeCheck(file)).toEqual({ output: '', status: 0 });
    expect(await sell(process.execPath, ['--disable-warning=ExperimentalWarning', file])).toEqual({
      output: SOLD,
      status: 0,
    });
  });
});

test.skipIf(!isInstalled)(
  `a program that breaks the contract does not compile${because}`,
  async () => {
    const wrong = [
      ["status: 'applied', transactionId: 'receipt-1'", "status: 'sold', transactionId: 'receipt-1'"],
      ["existingLineDiscountType: 'none'", "existingLineDiscountType: 'gift'"],
      ['answer.totals.total', 'answer.totals.vat'],
    ] as const;
    for (const [right, planted] of wrong) {
      expect(TYPES_PROGRAM).toContain(right);
      writeFileSync(join(folder, 'wrong.ts'), TYPES_PROGRAM.replace(right, planted));
      expect(await typeCheck('wrong.ts')).toMatchObject({ output: expect.stringContaining('error TS') });
    }
  },
  RUN_LIMIT_MS,
);

test.skipIf(!isInstalled || !hasPython)(
  `the Python classes of quicktype sell against the service${because || (hasPython ? '' : '; skipped, because python3 is missing')}`,
  { timeout: RUN_LIMIT_MS },
  async () => {
    expect(await sell('python3', ['program.py'])).toEqual({ output: SOLD, status: 0 });
  },
);
