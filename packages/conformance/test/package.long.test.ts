/** The kit and the double as a vendor installs them: from their tarball, in a project of its own. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { npmProgram } from '../../../scripts/setup/npm.mjs';
import { forgetProcess, watchProcess } from '../../../test/support/cleanup.ts';
import { provideOtherNode } from '../../../test/support/other-nodes.ts';
import { CONTRACT_PAGES, findLinksToNowhere, OutsideProject } from '../../../test/support/outside-project.ts';
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
function start(args: readonly string[], command = [join('node_modules', '.bin', 'loyalty-conformance')]): Command {
  const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: project.folder };
  const [program, ...first] = command;
  const child = spawn(program!, [...first, ...args], { cwd: project.folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  watchProcess(child.pid!);
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const ended = once(child, 'close').then(([code]) => {
    forgetProcess(child.pid!);
    return code as number | null;
  });
  const started = { child, printed: () => printed, ended };
  commands.push(started);
  return started;
}

/** The address of a double with our secret. */
async function serve(): Promise<string> {
  const double = start(['serve', '--port', '0', '--secret', SECRET, ...PLACE]);
  return until('the address of the double', () => /base URL +(\S+)/.exec(double.printed())?.[1]);
}

test('the tarball holds library, types, vectors and what people read', () => {
  const { files } = project;
  const isExpected =
    /^(?:lib\/(?:[a-z]+\/)*[a-z-]+\.(?:js|d\.ts)|vectors\/(?:[a-z]+\.json|README\.md)|package\.json|docs\/[a-z-]+\.(?:md|json)|README\.md|CHANGELOG\.md)$/;
  expect(files.filter((file) => !isExpected.test(file))).toEqual([]);
  expect(files).toEqual(
    expect.arrayContaining(['lib/bin.js', 'lib/index.d.ts', 'vectors/signature.json', 'CHANGELOG.md']),
  );
  expect(files.filter((file) => /^lib\/(?:packages|src|calls|pricing|store)\//.test(file))).toEqual([]);
});

test('the contract is in it, and every link leads somewhere', () => {
  const docs = project.files.filter((file) => file.startsWith('docs/')).sort();
  expect(docs).toEqual([...CONTRACT_PAGES.map((page) => `docs/${page}.md`), 'docs/openapi.json'].sort());
  expect(findLinksToNowhere(project)).toEqual([]);
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

test('a Node that is too old is named, and nothing is tried', async () => {
  const kit = start(['--help'], [await provideOtherNode('20.19.0'), join(project.installed, 'lib', 'bin.js')]);
  expect(await kit.ended).toBe(2);
  expect(kit.printed()).toBe('loyalty-conformance: needs Node 22.19 or newer, and this is v20.19.0\n');
});

test('a double that npx has started ends with it, and frees its port, also while a caller waits', async () => {
  const npx = [process.execPath, npmProgram(), 'exec', '--offline', '--', 'loyalty-conformance'];
  const double = start(['serve', '--port', '0', '--secret', SECRET], npx);
  const baseUrl = await until('the address of the double', () => /base URL +(\S+)/.exec(double.printed())?.[1]);
  const caller = connect(Number(new URL(baseUrl).port), '127.0.0.1').on('error', () => {});
  caller.write('POST /v1/pos/basket HTTP/1.1\r\nHost: double\r\nContent-Length: 2\r\n\r\n{');
  const isCutOff = once(caller.resume(), 'close');
  await once(caller, 'connect');
  double.child.kill('SIGTERM');
  // npm itself ends at once; its child is gone when nobody accepts a connection any more.
  await double.ended;
  await until(
    'the port to be free',
    () =>
      fetch(`${baseUrl}/double/table`).then(
        () => false,
        () => true,
      ),
    10_000,
  );
  await isCutOff;
});

test('a port that is taken is one line', async () => {
  const taken = new URL(await serve()).port;
  const second = start(['serve', '--port', taken, '--secret', SECRET]);
  expect(await second.ended).toBe(1);
  expect(second.printed()).toBe(`serve: port ${taken} of 127.0.0.1 is taken; choose another with --port\n`);
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
