import { createReadStream, createWriteStream } from 'node:fs';
import { link, open, readdir, stat, unlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { repeat } from '../process/repeat.ts';
import { LOG_BASE_NAME, LOG_DAYS, type Logger } from '../telemetry/log.ts';

const DAILY_FILE = new RegExp(`^${LOG_BASE_NAME}\\.(\\d{4}-\\d{2}-\\d{2})\\.\\d+\\.log(?:(?:\\.\\d+)?\\.gz)?$`);

const LOOK_MS = 3_600_000;
/** A process that was stopped over midnight may still write into the file of the day before. */
const QUIET_MS = 10 * 60_000;
/** A part that did not grow for so long was left behind by a process that ended. */
const ABANDONED_MS = 10 * 60_000;
const FILE_MODE = 0o600;
/** Files of one day and number: more than one only after a file was written to behind its compressed copy. */
const MOST_COPIES = 100;

export interface ArchiveOptions {
  /** A file that could not be removed or compressed; it is tried again at the next look. */
  readonly onFailure: (file: string, error: unknown) => void;
  /** True when no further file is to be begun. */
  readonly isClosed?: () => boolean;
  readonly now?: Date;
}

/**
 * Compresses the log files of days that are over, and removes those that are older than they have to be kept. Reading, compressing
 * and writing happen in threads of Node's own, so that calls go on meanwhile. Never rejects.
 */
export async function archive(
  folder: string,
  { onFailure, isClosed = () => false, now = new Date() }: ArchiveOptions,
): Promise<void> {
  const today = dayOf(now);
  const oldest = dayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() - LOG_DAYS));
  for (const name of await readdir(folder).catch(() => [])) {
    const day = DAILY_FILE.exec(name)?.[1];
    if (isClosed() || day === undefined || day >= today) continue;
    const file = join(folder, name);
    try {
      if (day < oldest) await unlink(file);
      else if (!name.endsWith('.gz')) await compress(file, now.getTime());
    } catch (error) {
      onFailure(file, error);
    }
  }
}

/** Looks at the folder now and every hour. Returns the function that ends it; a copy that is half written is removed by the next process. */
export function archiveLogs(folder: string, log: Logger): () => void {
  let hasEnded = false;
  const look = () =>
    archive(folder, {
      isClosed: () => hasEnded,
      onFailure: (file, error) => {
        log.warn({ file, code: (error as NodeJS.ErrnoException).code ?? 'unknown' }, 'log file not compressed');
      },
    });
  const stop = repeat(LOOK_MS, look);
  void look();
  return () => {
    hasEnded = true;
    stop();
  };
}

/** The day in local time, as the files are named. */
function dayOf(time: Date): string {
  const [month, date] = [time.getMonth() + 1, time.getDate()].map((number) => String(number).padStart(2, '0'));
  return `${time.getFullYear()}-${month}-${date}`;
}

/** Puts a compressed copy in the file's place, unless the file is written to meanwhile. */
async function compress(file: string, nowMs: number): Promise<void> {
  const before = await stat(file);
  if (nowMs - before.mtimeMs < QUIET_MS) return;
  const part = `${file}.part`;
  if (!(await claim(part, nowMs))) return;
  try {
    await pipeline(createReadStream(file), createGzip(), createWriteStream(part, { flags: 'r+', flush: true }));
    const after = await stat(file);
    if (after.size !== before.size || after.ino !== before.ino) return;
    await utimes(part, before.atime, before.mtime);
    await linkToFreeName(part, file);
    await unlink(file);
  } finally {
    await unlink(part);
  }
}

/** Creates the part, which no other process may write meanwhile. Removes one that was left behind. */
async function claim(part: string, nowMs: number): Promise<boolean> {
  try {
    await (await open(part, 'wx', FILE_MODE)).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (nowMs - (await stat(part)).mtimeMs > ABANDONED_MS) await unlink(part);
    return false;
  }
}

/** A link fails where a file is, so that no earlier copy of the day is replaced. */
async function linkToFreeName(part: string, file: string): Promise<void> {
  for (let copy = 1; ; copy += 1) {
    try {
      await link(part, copy === 1 ? `${file}.gz` : `${file}.${copy}.gz`);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || copy === MOST_COPIES) throw error;
    }
  }
}
