import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { vectorFiles } from './files.ts';

/** Writes the files of the vectors into a folder: when the kit is packed, and by `npm run vectors`. */
export function writeVectors(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(vectorFiles())) {
    writeFileSync(join(folder, name), `${JSON.stringify(content, null, 2)}\n`);
  }
}
