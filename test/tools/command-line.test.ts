/** The `loyalty` command line as people meet it: help everywhere, one line for what cannot be used, names completed. */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, describe, expect, test } from 'vitest';
import { createProgram } from '../../packages/tools/src/command-line/program.ts';
import { ROOT } from '../architecture/source.ts';
import { cleanUp, forgetProcess, temporaryDirectory, watchProcess } from '../support/cleanup.ts';
import { quickStart } from '../support/quick-start.ts';
import { runCommand } from '../support/run-command.ts';

afterAll(cleanUp);

const LOYALTY = 'packages/tools/src/loyalty.ts';

function loyalty(...args: string[]) {
  return runCommand(args, {});
}

function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: ROOT, encoding: 'utf8', env });
  return { status, stdout, stderr };
}

/** The words that lead to each command: `members`, `members import`. */
function commandsBelow(command: Command, path = ''): string[] {
  return command.commands.flatMap((below) => {
    const name = `${path} ${below.name()}`.trim();
    return [name, ...commandsBelow(below, name)];
  });
}

const commands = commandsBelow(createProgram());

describe('help', () => {
  test('lists every command', async () => {
    const { code, stdout } = await loyalty('--help');
    expect(code).toBe(0);
    for (const name of commands) expect(stdout).toContain(`  ${name.split(' ')[0]} `);
    expect(commands).toContain('members import');
  });

  test('loads no command: the code of one is read when it is called', () => {
    const trace = `import { registerHooks } from 'node:module';
      registerHooks({ load: (url, context, next) => (console.log(url), next(url, context)) });`;
    const loader = `data:text/javascript,${encodeURIComponent(trace)}`;
    const { stdout } = run(process.execPath, ['--import', loader, LOYALTY, '--help']);
    expect(stdout).toContain('packages/tools/src/command-line/program.ts');
    expect(stdout).not.toMatch(/packages\/(?:tools\/src\/commands|engine)\/|\/src\/(?:store|redis|programme)\//);
  });
});

describe('the npm run names', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const [ofLoyalty, ofOthers] = [true, false].map((isLoyalty) =>
    // The suite does not run itself, and the vectors are written by two programs that take nothing.
    Object.keys(scripts).filter(
      (name) => !/^(?:test|check:code|vectors)\b/.test(name) && /loyalty\.ts/.test(scripts[name]!) === isLoyalty,
    ),
  ) as [string[], string[]];

  test.each(ofLoyalty)('%s is a command of loyalty', (name) => {
    const [, command] = /^exec sh scripts\/run\.sh packages\/tools\/src\/loyalty\.ts (\S+)/.exec(scripts[name]!)!;
    expect(commands).toContain(command);
  });

  /** What the shell runs, once the machine has what it lacks. */
  const programOf = (name: string) => /^exec sh scripts\/run\.sh (\S.*)$/.exec(scripts[name]!)![1]!.split(' ');

  test.each(ofOthers)('%s says what it takes', (name) => {
    const { status, stdout } = run(process.execPath, [...programOf(name), '--help'], quickStart(process.env));
    expect(status).toBe(0);
    expect(stdout).toMatch(/usage:|version/i);
  });

  test('start says it by way of the shell', () => {
    const { status, stdout } = run('sh', ['-c', `${scripts['start']} "$@"`, 'sh', '--help']);
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/^usage:/i) });
  });
});

describe('what cannot be used is one line and exit code 2', () => {
  test.each([
    [['memebrs'], "loyalty: unknown command 'memebrs' (Did you mean members?)"],
    [['members', 'imprt'], "members: unknown command 'imprt' (Did you mean import?)"],
    [['members', 'import', 'a.csv', '--dry-rum'], "members: unknown option '--dry-rum' (Did you mean --dry-run?)"],
    [['members', 'import'], "members: missing required argument 'file'"],
    [['members', 'export', '--out'], "members: option '--out <file>' argument missing"],
    [['price', 'a', 'b'], "price: too many arguments for 'price'. Expected 1 argument but got 2: a, b."],
    [['backtest', 'a.ndjson'], "backtest: required option '--config <draft.yaml>' not specified"],
    [['conformance', '--sekret', 'x'], "conformance: unknown option '--sekret' (Did you mean --secret?)"],
    [['conformance', 'serve', '--prot', '1'], "conformance: unknown option '--prot' (Did you mean --port?)"],
    [['double', '--port'], "double: option '--port <n>' argument missing"],
    [
      ['capacity', '--lines', 'many'],
      "capacity: option '--lines <n>' argument 'many' is invalid. Allowed: a whole number from 1 to 200.",
    ],
    // An empty value is a variable of a script that is not set.
    [['events', '--from', ''], "events: option '--from <id|instant>' argument '' is invalid. A value is missing."],
    [
      ['members', 'revoke', 'x', 'ids.csv', '--grant-id', ''],
      "members: option '--grant-id <id>' argument '' is invalid. A value is missing.",
    ],
    [['members', 'copy', ''], "members: command-argument value '' is invalid for argument 'id'. A value is missing."],
    [
      ['backtest', 'a.ndjson', '', '--config', 'draft.yaml'],
      "backtest: command-argument value '' is invalid for argument 'baskets.ndjson'. A value is missing.",
    ],
    [
      ['load', '--base-url', 'http://a/?b', '--secret-file', 'c'],
      "load: option '--base-url <url>' argument 'http://a/?b' is invalid. It has a query or a fragment, which no call would send. Allowed: http://host:port or https://host.",
    ],
    // An option is never taken for the value of the one before it.
    [
      ['members', 'import', 'a.csv', '--rejects', '--resume'],
      "members: option '--rejects <file>' argument '--resume' is invalid. A value is missing before it.",
    ],
  ])('%j', async (args, line) => {
    expect(await loyalty(...args)).toEqual({ code: 2, stdout: '', stderr: `${line}\n` });
  });
});

describe('a test double that cannot start so ends with 2 and shows what is allowed', () => {
  test.each([
    [['--misbehave', 'nope'], '--misbehave: found "nope", allowed: a code that --list prints'],
    [['--misbehave', 'nope', '--list'], '--misbehave: found "nope", allowed: a code that --list prints'],
    [['--port', '65536'], '--port: a number from 0 to 65535 is expected'],
    [['--json'], '--json: --list is expected beside it'],
  ])('%j', async (args, line) => {
    const { code, stdout } = await loyalty('double', ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: expect.stringMatching(/^serve: .*\n\nUsage: /) });
    expect(stdout).toContain(`serve: ${line}\n`);
  });
});

describe('npx loyalty', () => {
  test('sets up what is missing without a word on standard output, and hands on arguments and exit code', async () => {
    const { status, stdout } = run('node', ['scripts/loyalty.mjs', 'members', '--help']);
    expect({ status, stdout }).toEqual({ status: 0, stdout: (await loyalty('members', '--help')).stdout });
    expect(run('node', ['scripts/loyalty.mjs', 'price'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('basket.json'),
    });
  });

  test('hands on the request to end', async () => {
    const child = spawn('node', ['scripts/loyalty.mjs', 'double', '--port', '0'], { cwd: ROOT });
    watchProcess(child.pid!);
    const [greeting] = (await once(child.stdout, 'data')) as [Buffer];
    expect(greeting.toString()).toContain('Service double');
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
    forgetProcess(child.pid!);
  });
});

test.each([['schema'], ['--help']])(
  '%s into a closed pipe, as after `| head`, ends without a word',
  async (command) => {
    const child = spawn(process.execPath, [LOYALTY, command], { cwd: ROOT, stdio: 'pipe' });
    child.stdout.destroy();
    const said: Buffer[] = [];
    child.stderr.on('data', (chunk: Buffer) => said.push(chunk));
    const [code] = await once(child, 'close');
    expect([Buffer.concat(said).toString(), code]).toEqual(['', 141]);
  },
);

/** As root a command beside the service would leave folders of root. */
test('no command makes a folder of the service: a check needs none, and an export says which settings it needs', async () => {
  const folder = temporaryDirectory();
  const env = {
    DATA_DIR: join(folder, 'data'),
    LOG_DIR: join(folder, 'log'),
    RECORD_FILE: join(folder, 'records', 'baskets.ndjson'),
  };
  expect((await runCommand(['check'], env)).code).toBe(0);
  const { code, stderr } = await runCommand(['members', 'export'], env);
  expect(code).not.toBe(0);
  expect(stderr).toContain(env.DATA_DIR);
  expect(stderr).toContain('start the service, or set REDIS_URL or DATA_DIR as the service has it');
  expect(readdirSync(folder)).toEqual([]);
});
