import { writeFileSync } from 'node:fs';
import { vectorFiles } from './files.ts';

/**
 * `node packages/conformance/src/vectors/write.ts`: writes the files of `vectors/` anew, to be formatted like every file of the
 * project (`npm run format`). A test fails while they hold something else than what is built here.
 */

for (const [name, content] of Object.entries(vectorFiles())) {
  writeFileSync(new URL(`../../../vectors/${name}`, import.meta.url), `${JSON.stringify(content, null, 2)}\n`);
}
