/** The signing snippets of the documentation, in every language whose runtime this machine offers, against the vectors. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ROOT } from '../architecture/source.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';

afterAll(cleanUp);

const SNIPPETS = join(ROOT, 'docs', 'snippets');

interface Runner {
  readonly file: string;
  readonly command: readonly string[];
  /** How the runtime is asked whether it is there, and old or new enough. */
  readonly probe: readonly string[];
  readonly version: RegExp;
  /** Compiles the file into a folder once, where `command` would do so at every run. */
  readonly compile?: readonly string[];
  readonly compiled?: (folder: string) => readonly string[];
}

const RUNNERS: Readonly<Record<string, Runner>> = {
  Python: { file: 'sign.py', command: ['python3'], probe: ['python3', '--version'], version: /Python 3\./ },
  Java: {
    file: 'Sign.java',
    command: ['java'],
    probe: ['java', '--version'],
    version: /(?:1[7-9]|[2-9]\d)\./,
    compile: ['javac', '-d'],
    compiled: (folder) => ['java', '-cp', folder, 'Sign'],
  },
  'C#': { file: 'sign.cs', command: ['dotnet', 'run'], probe: ['dotnet', '--version'], version: /^[1-9]\d\./ },
  Kotlin: { file: 'sign.main.kts', command: ['kotlin'], probe: ['kotlin', '-version'], version: /Kotlin/ },
  Go: { file: 'sign.go', command: ['go', 'run'], probe: ['go', 'version'], version: /go1/ },
  PHP: { file: 'sign.php', command: ['php'], probe: ['php', '--version'], version: /PHP [78]\./ },
};

interface Vector {
  readonly name: string;
  readonly secretHex: string;
  readonly secretBase64: string;
  readonly t: number;
  readonly bodyBase64: string;
  readonly header: string;
}

const { signing } = JSON.parse(
  readFileSync(join(ROOT, 'packages', 'conformance', 'vectors', 'signature.json'), 'utf8'),
) as { signing: Vector[] };

/** Compiling a snippet takes its time on a busy machine. */
const RUN_LIMIT_MS = 60_000;

function isOffered({ probe, version }: Runner): boolean {
  const [program = '', ...args] = probe;
  const { stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', timeout: RUN_LIMIT_MS });
  return error === undefined && version.test(`${stdout}${stderr}`);
}

/** The command that runs the snippet quickly; the documented one when nothing can be compiled beforehand. */
function quickCommandOf({ command, file, compile, compiled }: Runner): readonly string[] {
  const documented = [...command, join(SNIPPETS, file)];
  if (!compile || !compiled) return documented;
  const folder = temporaryDirectory();
  const [program = '', ...args] = [...compile, folder, join(SNIPPETS, file)];
  return spawnSync(program, args, { timeout: RUN_LIMIT_MS }).status === 0 ? compiled(folder) : documented;
}

function run(command: readonly string[], file: string, vector: Vector, secret: string): string {
  const [program = '', ...args] = [...command, secret, String(vector.t)];
  const input = Buffer.from(vector.bodyBase64, 'base64');
  const { stdout, stderr, status } = spawnSync(program, args, { input, timeout: RUN_LIMIT_MS });
  if (status !== 0) throw new Error(`${file} ended with ${status}: ${stderr}`);
  return stdout.toString('utf8').trim();
}

describe.each(Object.entries(RUNNERS))('%s', (_, runner) => {
  test.skipIf(!isOffered(runner))(
    'signs every vector right, with the secret in hex and in base64',
    { timeout: 300_000 },
    () => {
      const { command, file } = runner;
      const quick = quickCommandOf(runner);
      for (const [index, vector] of signing.entries()) {
        // The first one as the page says.
        const used = index === 0 ? [...command, join(SNIPPETS, file)] : quick;
        const secret = index % 2 === 0 ? vector.secretHex : vector.secretBase64;
        expect([vector.name, run(used, file, vector, secret)]).toEqual([vector.name, vector.header]);
      }
    },
  );
});

test('every snippet is in the table, with its runtime, and in the table of its README', () => {
  const files = readdirSync(SNIPPETS).filter((name) => name !== 'README.md');
  expect(
    Object.values(RUNNERS)
      .map(({ file }) => file)
      .sort(),
  ).toEqual(files.sort());
  const readme = readFileSync(join(SNIPPETS, 'README.md'), 'utf8');
  for (const file of files) expect(readme).toContain(`(${file})`);
});
