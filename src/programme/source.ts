import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describeUnreadable } from '@loyalty/contract/unreadable';
import { type EncodingError, findEncodingError } from './text-encoding.ts';

/** The text of an environment: one file, or a folder whose files together are one environment. Plain data, so that threads can take it. */
export interface EnvironmentSource {
  /** The file or folder as the operator named it. */
  readonly path: string;
  readonly files: readonly SourceFile[];
}

export interface SourceFile {
  /** The file's path as the operator would write it: the folder's name stands before it. */
  readonly name: string;
  readonly text: string;
  /** Of a file that is not UTF-8, whose text has lost letters. */
  readonly encodingError?: EncodingError;
}

/** A folder with more files than this is a mistake, such as a home directory. */
const MAX_FILES = 1_000;
export const MAX_FOLDER_DEPTH = 8;

/** Reads a file, or every configuration file of a folder. Throws one line when there is nothing to read, or it may not be read. */
export function readEnvironmentSource(path: string): EnvironmentSource {
  try {
    const names = listEnvironmentFiles(path);
    if (names.length === 0) throw new Error(`${path}: found no file, allowed: a folder with at least one .yaml file`);
    return { path, files: names.map(readSourceFile) };
  } catch (error) {
    const { code, path: place = path } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : new Error(describeUnreadable(place, error), { cause: error });
  }
}

function readSourceFile(name: string): SourceFile {
  const bytes = readFileSync(name);
  const encodingError = findEncodingError(bytes);
  return { name, text: bytes.toString('utf8'), ...(encodingError && { encodingError }) };
}

/** An environment that is one text. `name` stands for the file in messages. */
export function sourceOf(text: string, name: string): EnvironmentSource {
  return { path: name, files: [{ name, text }] };
}

/**
 * Lists the files of an environment in the order in which they count: the file itself, or of a folder every `.yaml` and
 * `.yml` file in it and below it, by name. Names that begin with a dot are left out: editors keep half-written copies
 * under them, and a mounted ConfigMap its versions. Throws when the path is missing, or the folder is too large or has a pipe.
 */
export function listEnvironmentFiles(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  const found: string[] = [];
  collect(path, found, []);
  return found.sort();
}

/** True for the name of a file that a folder's environment consists of. */
export function isEnvironmentFile(name: string): boolean {
  return /\.ya?ml$/.test(name);
}

/** `above` are the real paths of the folders above: a symbolic link to one of them would lead in circles. */
function collect(folder: string, found: string[], above: readonly string[]): void {
  const real = realpathSync(folder);
  if (above.includes(real) || above.length > MAX_FOLDER_DEPTH) return;
  for (const name of readdirSync(folder)) {
    if (name.startsWith('.')) continue;
    const path = join(folder, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory()) collect(path, found, [...above, real]);
    else if (isEnvironmentFile(name)) {
      // Whoever reads a pipe that nobody writes waits for ever.
      if (stats && !stats.isFile()) throw new Error(`${path}: found a pipe, a socket or a device, allowed: a file`);
      found.push(path);
    }
    if (found.length > MAX_FILES) throw new Error(`${folder}: found more than ${MAX_FILES} .yaml files`);
  }
}
