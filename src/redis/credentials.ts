import { readFileSync } from 'node:fs';
import type { RedisAccess } from './address.ts';

/**
 * The password of a connection that is opened now. A password from a file is read anew each time, so that it can be changed
 * while the service runs: connections that are there stay, and every later one sends what the file says by then.
 */

/** What each file said last, for a moment in which it cannot be read. */
const lastRead = new Map<string, string>();

/** Undefined when none is sent. Throws when its file has never been read. */
export function passwordOf({ password, passwordFile }: RedisAccess): string | undefined {
  return passwordFile === undefined ? password : readPassword(passwordFile);
}

/** Reads a file with one password; white space around it is none of it. Throws the operating system's error. */
export function readPassword(file: string): string {
  try {
    const text = readFileSync(file, 'utf8').trim();
    // A file that is just being written is empty for a moment.
    if (text !== '') lastRead.set(file, text);
  } catch (error) {
    if (!lastRead.has(file)) throw error;
  }
  return lastRead.get(file) ?? '';
}
