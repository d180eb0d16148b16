import { access, constants, copyFile, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Writing a file of the configuration: whole or not at all. */

/** A file of this name beside it is the one before. A folder of configuration files does not read it. */
const BEFORE = '.before';

/** True where the file may probably be replaced. */
export async function canWrite(name: string): Promise<boolean> {
  try {
    const path = await realpath(name);
    await access(path, constants.W_OK);
    await access(dirname(path), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Replaces a file, and keeps the one before beside it under its name with `.before`. Returns what puts both back as they were.
 * Throws the error of the operating system when it cannot be written, and then the file is as it was.
 */
export async function replaceFile(name: string, text: string): Promise<() => Promise<void>> {
  // Behind a symbolic link stands the file that is meant.
  const path = await realpath(name);
  const before = `${path}${BEFORE}`;
  const [current, earlier] = [await readFile(path), await readFile(before).catch(() => undefined)];
  const restoreEarlier = () => (earlier === undefined ? rm(before, { force: true }) : writeWhole(before, earlier));
  try {
    await copyFile(path, before);
    await writeWhole(path, text);
  } catch (error) {
    await restoreEarlier().catch(() => undefined);
    throw error;
  }
  return async () => {
    await writeWhole(path, current);
    await restoreEarlier();
  };
}

/** Writes a file in the place of another, so that nobody ever reads half of it. Owner and rights stay. */
async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  const facts = await stat(path);
  // Names with a dot are no part of a folder's configuration.
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}.new`);
  try {
    const file = await open(draft, 'wx', facts.mode);
    try {
      await file.writeFile(content);
      await file.chmod(facts.mode);
      await file.chown(facts.uid, facts.gid).catch(() => undefined);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
