/** The lock that set-ups share: those of one process, of several, and one whose owner was killed. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { withSetupLock } from '../../scripts/setup/lock.mjs';
import { temporaryDirectory } from '../support/cleanup.ts';
import { until } from '../support/wait.ts';

const LOCK = JSON.stringify(join(import.meta.dirname, '..', '..', 'scripts', 'setup', 'lock.mjs'));

/** A program that runs `work` under the lock; named as the lock expects its owners to be. */
function programThat(work: string): string {
  const program = join(temporaryDirectory(), 'setup.mjs');
  const imports = `import { appendFileSync } from 'node:fs';\nimport { withSetupLock } from ${LOCK};\n`;
  writeFileSync(program, `${imports}await withSetupLock(() => { ${work} });\n`);
  return program;
}

const rest = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

test('is held by one at a time, whether they ask from one process or from several', async () => {
  const log = join(temporaryDirectory(), 'log');
  const [file, wait] = [JSON.stringify(log), 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)'];
  const program = programThat(`appendFileSync(${file}, 'in '); ${wait}; appendFileSync(${file}, 'out ');`);
  const own = Array.from({ length: 4 }, () =>
    withSetupLock(() => {
      appendFileSync(log, 'in ');
      rest(20);
      appendFileSync(log, 'out ');
    }),
  );
  const others = Array.from({ length: 3 }, () => promisify(execFile)(process.execPath, [program]));
  await Promise.all([...own, ...others]);
  expect(readFileSync(log, 'utf8')).toBe('in out '.repeat(7));
});

test('passes on from an owner that was killed', async () => {
  const log = join(temporaryDirectory(), 'log');
  const forever = `appendFileSync(${JSON.stringify(log)}, 'in'); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)`;
  const owner = spawn(process.execPath, [programThat(forever)], { stdio: 'ignore' });
  await until('the other process to own the lock', () => existsSync(log));
  owner.kill('SIGKILL');
  await once(owner, 'exit');
  let isMine = false;
  await withSetupLock(() => {
    isMine = true;
  });
  expect(isMine).toBe(true);
});
