/** The kit and the double as a vendor installs them: from their tarball, in a project of its own. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { forgetProcess, watchProcess } from '../../../test/support/cleanup.ts';
import { OutsideProject } from '../../../test/support/outside-project.ts';
import { until } from '../../../test/support/wait.ts';

const project = new OutsideProject('conformance');
const SECRET = '07'.repeat(32);
const PLACE = ['--venue', 'venue', '--bax', 'bax', '--currency', 'NOK'];

interface Command {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  readonly printed: () => string;
  readonly ended: Promise<number | null>;
}
const commands: Command[] = [];
afterAll(() => Promise.all(commands.map(({ child, ended }) => child.kill('SIGTERM') && ended)));

/** As `npx loyalty-conformance` runs it: the link that npm has made, and the Node that is first on the path. */
function start(args: readonly string[]): Command {
  const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin` };
  const program = join('node_modules', '.bin', 'loyalty-conformance');
  const child = spawn(program, [...args], { cwd: project.folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  watchProcess(child.pid!);
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const ended = once(child, 'close').then(([code]) => {
    forgetProcess(child.pid!);
    return code as number | null;
  });
  const command = { child, printed: () => printed, ended };
  commands.push(command);
  return command;
}

/** The address of a double with our secret. */
async function serve(): Promise<string> {
  const double = start(['serve', '--port', '0', '--secret', SECRET, ...PLACE]);
  return until('the address of the double', () => /base URL +(\S+)/.exec(double.printed())?.[1]);
}

test('the tarball holds library, types, vectors and what people read', () => {
  const files = readdirSync(project.installed, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(project.installed.length + 1));
  const isExpected =
    /^(?:lib\/(?:[a-z]+\/)*[a-z-]+\.(?:js|d\.ts)|vectors\/(?:[a-z]+\.json|README\.md)|package\.json|README\.md)$/;
  expect(files.filter((file) => !isExpected.test(file))).toEqual([]);
  expect(files).toEqual(expect.arrayContaining(['lib/bin.js', 'lib/index.d.ts', 'vectors/signature.json']));
  expect(files.filter((file) => /^lib\/(?:packages|src|calls|pricing|store)\//.test(file))).toEqual([]);
});

test('its command judges its own double, and reports', async () => {
  const args = ['--base-url', await serve(), '--secret', SECRET, ...PLACE, '--requests-per-second', '5000'];
  const kit = start([...args, '--only', 'statuses.applied', '--only', 'sales', '--report', 'report.json']);
  expect(await kit.ended, kit.printed()).toBe(0);
  const report = JSON.parse(readFileSync(join(project.folder, 'report.json'), 'utf8'));
  expect(JSON.stringify(report)).toContain('statuses.applied');
});

test('a command line that cannot be used ends with 2 and names the command as it was called', async () => {
  const kit = start([]);
  expect(await kit.ended).toBe(2);
  expect(kit.printed()).toContain('Usage: npx loyalty-conformance');
  const double = start(['serve', '--port', 'many']);
  expect(await double.ended).toBe(2);
  expect(double.printed()).toContain('sage: npx loyalty-conformance serve');
});

test('the example of the README runs', async () => {
  project.write('certify.js', project.exampleOf('js'));
  expect((await project.run('certify.js')).trim()).toMatch(/^\d+ misbehaviours\n0 of \d+ checks failed$/);
});

const TYPESCRIPT = `
  import { type Certificate, certify, readOptions, ServiceDouble } from 'loyalty-basket-conformance';
  // @ts-expect-error A text is no secret of bytes.
  export const wrong = () => ServiceDouble.start({ secret: 'text' });
  export async function run(args: string[]): Promise<string> {
    const certificate: Certificate = await certify(readOptions(args));
    // @ts-expect-error Results are rows.
    const results: string = certificate.results;
    return results;
  }`;

test.each(['node16', 'bundler'] as const)('strict TypeScript knows its types, resolved for %s', async (resolution) => {
  project.write('certify.ts', TYPESCRIPT);
  expect(await project.check('certify.ts', resolution, ['--skipLibCheck'])).toBe('');
});
