import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const KEY_BYTES = 32;
/** 132 bits, as in the member tokens of Redis keys. */
const PSEUDONYM_CHARACTERS = 22;
const KEY_FILE = 'recording.key';

/**
 * The pseudonym of a member in a recording: HMAC-SHA-256 over programme and loyalty ID. A member keeps its pseudonym as
 * long as the key is kept; without the key, guesses of loyalty IDs cannot be tested.
 */
export function pseudonymOf(key: Uint8Array, programmeId: string, loyaltyId: string): string {
  // UTF-16 keeps lone surrogates of an opaque ID distinct; UTF-8 would make them equal.
  const text = Buffer.from(`${programmeId}\u0000${loyaltyId}`, 'utf16le');
  return createHmac('sha256', key).update(text).digest('base64url').slice(0, PSEUDONYM_CHARACTERS);
}

/**
 * Reads the key of `dataDir`, which is generated on first use and readable by its owner only. It differs from the
 * callers' secrets, so these cannot compute pseudonyms. Deleting the file makes all older pseudonyms meaningless.
 */
export function loadPseudonymKey(dataDir: string): Uint8Array {
  const file = join(dataDir, KEY_FILE);
  const found = readKey(file);
  if (found) return found;
  const own = `${file}.${randomUUID()}`;
  writeFileSync(own, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { mode: 0o600 });
  try {
    // When several processes start at once, the first complete file counts for all of them.
    linkSync(own, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(own);
  }
  const made = readKey(file);
  if (!made) throw new Error(`${file}: the key is gone again`);
  return made;
}

function readKey(file: string): Uint8Array | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  if (!/^[0-9a-f]{64}$/.test(text)) throw new Error(`${file}: found something else, allowed: ${KEY_BYTES} bytes, hex`);
  return Buffer.from(text, 'hex');
}
