/** `npm run lua`: the scripts in files, as Redis runs them. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../support/cleanup.ts';
import { SCRIPTS } from '../support/scripts.ts';

const PROGRAM = fileURLToPath(new URL('../../scripts/lua.ts', import.meta.url));

test('each script is a file of its name, and its SHA is printed', () => {
  const folder = join(temporaryDirectory(), 'lua');
  const printed = execFileSync(process.execPath, [PROGRAM, folder], { encoding: 'utf8' });
  expect(printed.trimEnd().split('\n').sort()).toEqual([...SCRIPTS].map(([name, { sha }]) => `${sha} ${name}`).sort());
  for (const [name, { source }] of SCRIPTS) expect(readFileSync(join(folder, `${name}.lua`), 'utf8')).toBe(source);
});
