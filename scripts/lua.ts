/**
 * `npm run lua -- <folder>`: the scripts as Redis runs them, a file each. `user_script:12` in an error of Redis is line 12 of its file. Beside
 * each name stands the SHA by which it is called.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Script } from '../src/redis/scripts.ts';

const DECLARATIONS = new URL('../src/store/scripts/', import.meta.url);

const USAGE = 'usage: npm run lua -- <folder>';

const [out = ''] = process.argv.slice(2);
if (out === '--help') {
  process.stdout.write(`${USAGE}\n`);
} else if (out === '' || out.startsWith('-')) {
  process.stderr.write(`lua: the folder is missing; ${USAGE}\n`);
  process.exitCode = 2;
} else {
  await writeScripts(resolve(out));
}

async function writeScripts(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const file of readdirSync(DECLARATIONS).filter((name) => name.endsWith('.ts'))) {
    const declared: Readonly<Record<string, { readonly script: Script }>> = await import(
      new URL(file, DECLARATIONS).href
    );
    for (const { script } of Object.values(declared)) {
      writeFileSync(join(folder, `${script.name}.lua`), script.source);
      process.stdout.write(`${script.sha} ${script.name}\n`);
    }
  }
}
