/** A quick start runs the same sources: stripped ones where there are any, and otherwise those that Node strips. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { quickStart } from './quick-start.ts';

const TOLD = `
  const strips = process.moduleLoadList.some((name) => name.includes('amaro'));
  console.log(strips ? 'stripped by Node' : 'stripped before');`;

/** Imports a file and tells what it exports under the name, and who stripped it. */
function load(file: string, name: string, env: Readonly<Record<string, string>>) {
  const source = `import { ${name} } from ${JSON.stringify(file)}; console.log(typeof ${name}); ${TOLD}`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', source], {
    encoding: 'utf8',
    env,
  });
  return [stdout.trim().split('\n'), stderr.includes('Error')];
}

const ROUND = join(import.meta.dirname, '../../packages/contract/src/money/round.ts');

test('a source of the project is there without its types, and Node need not strip it', () => {
  expect(load(ROUND, 'toHundredths', quickStart({}))).toEqual([['function', 'stripped before'], false]);
  expect(load(ROUND, 'toHundredths', {})).toEqual([['function', 'stripped by Node'], false]);
});

test('a source that changed since is taken as it is now, also where another one imports it', () => {
  const folder = mkdtempSync(join(import.meta.dirname, '../../.toolchain/', 'quick-'));
  try {
    writeFileSync(join(folder, 'price.ts'), 'export const price: number = 1;');
    writeFileSync(join(folder, 'new.ts'), "export { price } from './price.ts';");
    expect(load(join(folder, 'new.ts'), 'price', quickStart({}))).toEqual([['number', 'stripped by Node'], false]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('an error names the line of the source', () => {
  const file = join(import.meta.dirname, '../../src/settings.ts');
  const source = `import { readSettings } from ${JSON.stringify(file)}; readSettings({ PORT: 'x' });`;
  const [quick, plain] = [quickStart({}), {}].map((env) =>
    spawnSync(process.execPath, ['--input-type=module', '-e', source], { encoding: 'utf8', env }),
  );
  expect(quick?.stderr).toMatch(/settings\/?\S*\.ts:\d+:\d+/);
  expect(quick?.stderr.replaceAll(/^.*ExperimentalWarning.*$/gm, '')).toBe(
    plain?.stderr.replaceAll(/^.*ExperimentalWarning.*$/gm, ''),
  );
});
