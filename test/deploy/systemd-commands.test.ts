/** The unit of systemd, what its comment installs, and the commands of deploy/README.md that run with its settings. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { loadEnvironment } from '../../src/programme/load.ts';
import { ROOT } from '../architecture/source.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';

afterAll(cleanUp);

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const unit = read('deploy/systemd/loyalty-gateway.service');
const lines = (pattern: RegExp) => [...unit.matchAll(pattern)].map(([, value]) => value!);
const [, definition = ''] = /## Commands under systemd\n.*?```sh\n(.*?)```/s.exec(read('deploy/README.md')) ?? [];

/** The words with which the function of the page starts systemd-run, of which a machine that does not run systemd can show no more. */
function wordsOf(...args: readonly string[]): string[] {
  const folder = temporaryDirectory();
  const shown = lines(/^Environment=(.*)$/gm).join(' ');
  for (const [name, text] of [
    ['systemctl', `printf '%s\\n' '${shown}'`],
    ['systemd-run', `printf '%s\\0' "$@"`],
  ] as const) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  }
  const env = { PATH: `${folder}${delimiter}${process.env['PATH']}` };
  const printed = execFileSync('sh', ['-c', `${definition}\nloyalty "$@"`, 'sh', ...args], { encoding: 'utf8', env });
  return printed.split('\0').slice(0, -1);
}

describe('the function of the page', () => {
  test('passes the command on, with the Node, user, folder and settings of the unit', () => {
    const words = wordsOf('members', 'import', '-', '--rejects', 'a b');
    const program = words.findIndex((word) => !word.startsWith('--'));
    const of = (name: string) => lines(new RegExp(`^${name}=(.*)$`, 'gm'));
    expect(words[program]).toBe(/^ExecStart=(\S+)/m.exec(unit)?.[1]);
    expect(words.slice(program + 1)).toEqual([
      'packages/tools/src/loyalty.ts',
      'members',
      'import',
      '-',
      '--rejects',
      'a b',
    ]);
    expect(words.slice(0, program)).toEqual([
      ...['--quiet', '--pipe', '--wait', '--collect'],
      `--uid=${of('User')}`,
      `--gid=${of('Group')}`,
      `--working-directory=${of('WorkingDirectory')}`,
      `--property=UMask=${of('UMask')}`,
      `--property=Environment=${of('Environment').join(' ')}`,
      `--property=EnvironmentFile=${of('EnvironmentFile')}`,
    ]);
  });
});

describe('the comment of the unit', () => {
  const commented = /^(?:#.*\n)+/.exec(unit)![0].replaceAll(/^# ?/gm, '');

  test('installs files that exist, where the unit expects them', () => {
    const folder = temporaryDirectory();
    const installs = commented.split('\n').filter((line) => line.startsWith('  install '));
    // Who runs the tests may have no group of the service.
    const script = installs.join('\n').replaceAll(' -g loyalty', '').replaceAll('/etc/loyalty-gateway', folder);
    execFileSync('sh', ['-e', '-c', script], { cwd: ROOT });
    for (const path of [...lines(/^Environment=LOYALTY_\w+=(.*)$/gm), ...lines(/^EnvironmentFile=-(.*)$/gm)]) {
      expect(existsSync(path.replace('/etc/loyalty-gateway', folder)), path).toBe(true);
    }
    const text = readFileSync(join(folder, 'environment.yaml'), 'utf8');
    expect(loadEnvironment(text, 'environment.yaml').name).toBe('production');
    expect(readFileSync(join(folder, 'secrets'), 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
  });

  test('names the settings without which production is closed', () => {
    for (const name of ['HOST', 'OPS_TOKEN', 'REDIS_URL']) expect(commented).toMatch(new RegExp(`^ +${name}=`, 'm'));
  });
});
