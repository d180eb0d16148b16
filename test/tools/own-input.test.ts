/** No command writes its result over a file that it reads, nor works for a result that it cannot write. */
import { linkSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { backtest } from '../../packages/tools/src/commands/backtest.ts';
import { grant, revoke } from '../../packages/tools/src/commands/members-grants.ts';
import { importMembersFrom } from '../../packages/tools/src/commands/members-import.ts';
import { reconcileTransactions } from '../../packages/tools/src/commands/reconcile.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { runCommand } from '../support/run-command.ts';

afterAll(cleanUp);

type Run = (file: string, out: string, folder: string) => Promise<number>;

const draft = { config: 'config/staging.yaml', threads: 1 };

test.each<[name: string, option: string, output: string, run: Run]>([
  ['reconcile', '--out', 'findings', (file, out) => reconcileTransactions(file, { out })],
  ['members import', '--rejects', 'rejects', (file, rejects) => importMembersFrom(file, { rejects })],
  ['members grant', '--report', 'report', (file, report) => grant('twenty', file, { report })],
  ['members revoke', '--report', 'report', (file, report) => revoke('twenty', file, { report })],
  ['backtest', '--out', 'malformed.ndjson', (file, _, out) => backtest([file], { ...draft, out })],
  [
    'backtest --members',
    '--out',
    'differences.ndjson',
    (members, _, out) => backtest(['package.json'], { ...draft, out, members }),
  ],
])('%s refuses its input as %s, under whatever name', async (_, option, output, run) => {
  for (const link of [linkSync, symlinkSync]) {
    const folder = temporaryDirectory();
    const [file, out] = [join(folder, 'input.ndjson'), join(folder, output)];
    writeFileSync(file, 'the only copy\n');
    link(file, out);
    await expect(run(file, out, folder)).rejects.toThrow(`${option}: ${out} is a file that this command reads`);
    expect(readFileSync(file, 'utf8')).toBe('the only copy\n');
  }
});

/** Without a Redis: nothing was asked, written or erased before. */
test.each<[name: string, option: string, args: string[]]>([
  ['members export', '--out', []],
  ['members import', '--rejects', ['package.json']],
  ['members grant', '--report', ['twenty', 'package.json']],
  ['members copy', '--out', ['anna']],
  ['members erase', '--certificate', ['anna']],
  ['reconcile', '--out', ['package.json']],
  ['events', '--out', []],
  ['schema', '--out', []],
])('%s refuses a %s that cannot be written before it begins', async (command, option, args) => {
  const folder = temporaryDirectory();
  const run = (out: string) => runCommand([...command.split(' '), ...args, option, out], { DATA_DIR: folder });
  const name = command.split(' ')[0];
  const isFolder = `${name}: ${option}: ${folder} is a folder, allowed: a file\n`;
  expect(await run(folder)).toEqual({ code: 2, stdout: '', stderr: isFolder });
  const nowhere = join(folder, 'no', 'file');
  const stderr = `${name}: ${option}: ${nowhere} cannot be written (ENOENT), allowed: a file in a folder that is there\n`;
  expect(await run(nowhere)).toEqual({ code: 2, stdout: '', stderr });
  expect(readdirSync(folder)).toEqual([]);
});
