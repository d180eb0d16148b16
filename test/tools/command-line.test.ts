/** The `loyalty` command line as people meet it: help everywhere, one line for what cannot be used, names completed. */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, describe, expect, test } from 'vitest';
import { createProgram } from '../../packages/tools/src/command-line/program.ts';
import { ROOT } from '../architecture/source.ts';
import { cleanUp, forgetProcess, watchProcess } from '../support/cleanup.ts';
import { runCommand } from '../support/run-command.ts';

afterAll(cleanUp);

function loyalty(...args: string[]) {
  return runCommand(args, {});
}

function run(program: string, args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: ROOT, encoding: 'utf8' });
  return { status, stdout, stderr };
}

/** Each command with the words that lead to it: `members`, `members import`. */
function commandsBelow(command: Command, path = ''): [name: string, command: Command][] {
  return command.commands.flatMap((below) => {
    const name = `${path} ${below.name()}`.trim();
    return [[name, below] as [string, Command], ...commandsBelow(below, name)];
  });
}

const commands = commandsBelow(createProgram());

describe('help', () => {
  test('lists every command', async () => {
    const { code, stdout } = await loyalty('--help');
    expect(code).toBe(0);
    for (const [name] of commands) expect(stdout).toContain(`  ${name.split(' ')[0]} `);
    expect(commands.map(([name]) => name)).toContain('members import');
  });

  test.each(commands)('of %s', (name, command) => {
    let help = '';
    command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
    expect(help).toContain(`Usage: npx loyalty ${name}`);
    expect(help).toContain('--help');
  });

  test('loads no command: the code of one is read when it is called', () => {
    const trace = `import { registerHooks } from 'node:module';
      registerHooks({ load: (url, context, next) => (console.log(url), next(url, context)) });`;
    const loader = `data:text/javascript,${encodeURIComponent(trace)}`;
    const { stdout } = run(process.execPath, ['--import', loader, 'packages/tools/src/loyalty.ts', '--help']);
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
    expect(commands.map(([known]) => known)).toContain(command);
  });

  test.each(ofOthers)('%s says what it takes', (name) => {
    const { status, stdout } = run('sh', ['-c', `${scripts[name]} "$@"`, 'sh', '--help']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/usage:|version/i);
  });
});

describe('what cannot be used is one line and exit code 2', () => {
  test.each([
    [['memebrs'], "loyalty: unknown command 'memebrs' (Did you mean members?)"],
    [['members', 'imprt'], "members: unknown command 'imprt' (Did you mean import?)"],
    [['members', 'import', 'a.csv', '--dry-rum'], "members: unknown option '--dry-rum' (Did you mean --dry-run?)"],
    [['members', 'import'], "members: missing required argument 'file'"],
    [['members', 'export', '--out'], "members: option '--out <file>' argument missing"],
    [['price'], "price: missing required argument 'basket.json'"],
    [['price', 'a', 'b'], "price: too many arguments for 'price'. Expected 1 argument but got 2: a, b."],
    [['backtest', 'a.ndjson'], "backtest: required option '--config <draft.yaml>' not specified"],
    [['conformance', '--sekret', 'x'], "conformance: unknown option '--sekret' (Did you mean --secret?)"],
    [['conformance', 'serve', '--prot', '1'], "conformance: unknown option '--prot' (Did you mean --port?)"],
    [['double', '--port'], "double: option '--port <n>' argument missing"],
    [['demo', '--tils', '1'], "demo: unknown option '--tils' (Did you mean --tills?)"],
  ])('%j', async (args, line) => {
    const { code, stdout, stderr } = await loyalty(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr).toContain(line);
  });

  test('an option is never taken for the value of the one before it', async () => {
    const { code, stderr } = await loyalty('members', 'import', 'a.csv', '--rejects', '--resume');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^members: option '--rejects <file>' argument '--resume' is invalid[^\n]*\n$/);
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
