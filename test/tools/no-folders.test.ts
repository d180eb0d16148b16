/** A command beside the service makes none of the service's folders: run as root, it would leave folders of root. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ROOT } from '../architecture/source.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { quickStart } from '../support/quick-start.ts';

afterAll(cleanUp);

function run(folder: string, ...args: string[]) {
  const env = quickStart({
    PATH: process.env['PATH'],
    DATA_DIR: join(folder, 'data'),
    LOG_DIR: join(folder, 'log'),
    RECORD_FILE: join(folder, 'records', 'baskets.ndjson'),
  });
  const command = [join(ROOT, 'packages/tools/src/loyalty.ts'), ...args];
  return spawnSync(process.execPath, command, { cwd: ROOT, env, encoding: 'utf8' });
}

test('a check needs none of them', () => {
  const folder = temporaryDirectory();
  expect(run(folder, 'check')).toMatchObject({ status: 0 });
  expect(readdirSync(folder)).toEqual([]);
});

test('a command that does not find Redis says which settings it needs', () => {
  const folder = temporaryDirectory();
  const { status, stderr } = run(folder, 'members', 'export');
  expect(status).not.toBe(0);
  expect(stderr).toContain(join(folder, 'data'));
  expect(stderr).toContain('start the service, or set REDIS_URL or DATA_DIR as the service has it');
  expect(readdirSync(folder)).toEqual([]);
});
