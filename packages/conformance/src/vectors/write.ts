import { writeFileSync } from 'node:fs';
import { vectorFiles } from './files.ts';

/**
 * `npm run vectors`: writes the files of `vectors/` anew; the command then formats them like every file of the project.
 * A test fails while they differ from the build.
 */

for (const [name, content] of Object.entries(vectorFiles())) {
  writeFileSync(new URL(`../../../vectors/${name}`, import.meta.url), `${JSON.stringify(content, null, 2)}\n`);
}
