import { setTimeout as sleep } from 'node:timers/promises';
import type { Inspection } from '../redis/connection.ts';
import type { Keys } from './keys.ts';

/**
 * Number of the form in which this version writes into Redis. Raise it when a key, a field or a reply of the scripts gets
 * another meaning; a new key or field that the version before this one may ignore needs no new number.
 */
const FORMAT = 2;
/**
 * The oldest version that reads and changes what this one writes without loss, by its format. Where it is the one before this
 * one, both work on one Redis during an upgrade, and a rollback loses nothing.
 */
const OLDEST_READER = 2;
/** The oldest format that this version reads. Version 0.1 wrote format 1. A note that was lost with its data refuses nobody. */
const OLDEST_READ = 2;

const PATIENCE_MS = 1000;

/** Notes a format that is newer than the one noted, unless what is there cannot be read. Replies with what was noted before. */
const NOTE_FORMAT = `
local noted = redis.call('HMGET', KEYS[1], 'written', 'oldestReader')
local written, oldest_reader, format = tonumber(noted[1] or 0), tonumber(noted[2] or 0), tonumber(ARGV[1])
local is_read = not noted[1] or written >= tonumber(ARGV[3])
if is_read and oldest_reader <= format and written < format then
  redis.call('HSET', KEYS[1], 'written', ARGV[1], 'oldestReader', ARGV[2])
end
return noted`;

const OLDER = 'use an empty Redis, or start the version that wrote it';

/**
 * Refuses a Redis into which another version has written what this one would misread, until that version is back or the data
 * is gone. Otherwise notes that this version writes there.
 */
export function inspectFormat(
  keys: Keys,
  format = FORMAT,
  oldestReader = OLDEST_READER,
  oldestRead = OLDEST_READ,
): Inspection {
  return async (client) => {
    const asked = client.eval(NOTE_FORMAT, 1, keys.format(), format, oldestReader, oldestRead) as Promise<
      (string | null)[]
    >;
    // A master of a cluster that hangs must not keep the others from being used.
    const noted = await (client.isCluster
      ? Promise.race([asked, sleep(PATIENCE_MS, undefined, { ref: false })])
      : asked);
    if (!noted) return undefined;
    const [written = 0, needed = 0] = noted.map(Number);
    if (written > 0 && written < oldestRead) {
      const detail = `Redis holds data of format ${written}; this version reads format ${oldestRead} and later: ${OLDER}`;
      return { cause: 'older_format', detail };
    }
    if (needed <= format) return undefined;
    const detail = `Redis holds data of format ${written}, which versions of format ${needed} and later read; this one has format ${format}`;
    return { cause: 'newer_format', detail };
  };
}
