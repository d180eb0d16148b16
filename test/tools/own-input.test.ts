/** No command writes its result over a file that it reads. */
import { linkSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { backtest } from '../../packages/tools/src/commands/backtest.ts';
import { grant, revoke } from '../../packages/tools/src/commands/members-grants.ts';
import { importMembersFrom } from '../../packages/tools/src/commands/members-import.ts';
import { reconcileTransactions } from '../../packages/tools/src/commands/reconcile.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';

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
