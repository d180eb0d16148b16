import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Rejects a name behind which there is nothing to read. A pipe can be read like a file, but only once. */
export function assertInputFile(file: string): void {
  if (!existsSync(file)) throw new Error(`there is no file ${file}`);
  if (statSync(file).isDirectory()) throw new Error(`${file} is a folder, allowed: a file`);
}

/** Rejects a pipe too, for a command that reads its input more than once. */
export function assertLastingFile(file: string): void {
  assertInputFile(file);
  if (!statSync(file).isFile())
    throw new Error(`${file} is a pipe or a device, allowed: a file, because it is read more than once`);
}

/**
 * Rejects an output that is one of the files to read, under whatever name: it would be emptied before it is read. Devices,
 * such as a terminal, can be both.
 */
export function assertNotInput(option: string, output: string, inputs: readonly string[]): void {
  const own = statSync(output, { throwIfNoEntry: false });
  if (!own?.isFile()) return;
  const isOwn = (input: string): boolean => {
    const other = statSync(input, { throwIfNoEntry: false });
    return other?.ino === own.ino && other.dev === own.dev;
  };
  if (inputs.some(isOwn))
    throw new Error(`${option}: ${output} is a file that this command reads, allowed: another file`);
}

/** Rejects a name under which no file can be written, before the work is done whose result would be lost. `-` is standard output. */
export function assertOutputFile(option: string, output: string): void {
  if (output === '-') return;
  if (statSync(output, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`${option}: ${output} is a folder, allowed: a file`);
  try {
    accessSync(existsSync(output) ? output : dirname(output), constants.W_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`${option}: ${output} cannot be written (${code}), allowed: a file in a folder that is there`);
  }
}

/** Where an output is written until it is whole and renamed: a device, such as `/dev/null`, is written itself and never replaced. */
export function partialOf(output: string): string {
  const own = statSync(output, { throwIfNoEntry: false });
  return own && !own.isFile() ? output : `${output}.partial`;
}
