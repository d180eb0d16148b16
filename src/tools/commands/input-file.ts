import { existsSync, statSync } from 'node:fs';

/** Refuses a name behind which there is nothing to read; a pipe is read as a file. */
export function assertInputFile(file: string): void {
  if (!existsSync(file)) throw new Error(`there is no file ${file}`);
  if (statSync(file).isDirectory()) throw new Error(`${file} is a folder, allowed: a file`);
}
