/** No command writes its result over a file that it reads. */
import { linkSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { backtest } from '../../packages/tools/src/commands/backtest.ts';
import { grant, revoke } from '../../packages/tools/src/commands/members-grants.ts';
import { importMembersFrom } from '../../packages/tools/src/commands/members-import.ts';
import { reconcileTransactions } from '../../packages/tools/src/commands/reconcile.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';

afterAll(cleanUp);

const CONTENT = 'the only copy\n';

/** A file, and an output below another name that is the same file. */
function fileWithOtherName(name: string, link: (file: string, path: string) => void) {
  const folder = temporaryDirectory();
  const file = join(folder, 'input.ndjson');
  writeFileSync(file, CONTENT);
  const out = join(folder, name);
  link(file, out);
  return { folder, file, out };
}

type Run = (file: string, out: string, folder: string) => Promise<number>;
const COMMANDS: readonly [name: string, option: string, output: string, run: Run][] = [
  ['reconcile', '--out', 'findings', (file, out) => reconcileTransactions(file, { out })],
  ['members import', '--rejects', 'rejects', (file, rejects) => importMembersFrom(file, { rejects })],
  ['members grant', '--report', 'report', (file, report) => grant('twenty', file, { report })],
  ['members revoke', '--report', 'report', (file, report) => revoke('twenty', file, { report })],
  [
    'backtest',
    '--out',
    'malformed.ndjson',
    (file, _, out) => backtest([file], { config: 'config/staging.yaml', out, threads: 1 }),
  ],
  [
    'backtest --members',
    '--out',
    'differences.ndjson',
    (members, _, out) => backtest(['package.json'], { config: 'config/staging.yaml', out, threads: 1, members }),
  ],
];

describe.each(COMMANDS)('%s', (_, option, output, run) => {
  test.each([
    ['a hard link', linkSync],
    ['a symbolic link', symlinkSync],
  ])(`refuses its input as ${option}: %s`, async (_name, link) => {
    const { folder, file, out } = fileWithOtherName(output, link);
    await expect(run(file, out, folder)).rejects.toThrow(`${option}: ${out} is a file that this command reads`);
    expect(readFileSync(file, 'utf8')).toBe(CONTENT);
  });
});
