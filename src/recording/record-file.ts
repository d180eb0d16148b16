import { join, parse } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SonicBoom } from 'sonic-boom';
import { removeOldRecords } from './old-records.ts';

/**
 * Bytes that may wait for a slow disk. Above it records are dropped, because a till must never wait for a recording.
 */
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024;
/** A new file starts every day, and when the present one reaches this size in megabytes. */
export const PART_MEGABYTES = 128;
const CLOSE_PATIENCE_MS = 1000;
const DEFAULT_EXTENSION = '.ndjson';

/** Callbacks for the failures of a record file, which are visible nowhere else. */
export interface RecordWatch {
  /** A write to the disk failed; called every time. */
  readonly onFault: (error: Error) => void;
  /** A record was dropped. */
  readonly onDrop: () => void;
}

/** The record files of one process. */
export interface RecordFile {
  /** Queues a record, a line with its break, and returns at once. */
  write(record: string): void;
  /** Writes the waiting records; gives up after a second. */
  close(): Promise<unknown>;
}

/** Which of the service's processes records: its number, counted from 1, and the number of processes. */
export interface RecordingProcess {
  readonly processNumber: number;
  readonly processes: number;
}

/**
 * Opens the day's file of a process: `baskets.ndjson` becomes `baskets-<process>.<day>.<part>.ndjson`, readable by its
 * owner only. Now and with each further file it removes those that are no longer kept.
 */
export async function openRecordFile(
  file: string,
  { processNumber, processes }: RecordingProcess,
  watch: RecordWatch,
): Promise<RecordFile> {
  const { dir, name, ext } = parse(file);
  const extension = ext || DEFAULT_EXTENSION;
  // Imported only when recording is on, because it costs a start more time than the rest of recording.
  const { default: buildRoll } = await import('pino-roll');
  const sink = (await buildRoll({
    // A hyphen precedes the process number, because the library treats the text after the last dot as the extension.
    file: `${join(dir, name)}-${processNumber}${extension}`,
    frequency: 'daily',
    dateFormat: 'yyyy-MM-dd',
    size: PART_MEGABYTES,
    mkdir: true,
    mode: 0o600,
    maxLength: MAX_BUFFERED_BYTES,
  })) as SonicBoom;
  // The library's own removal begins with the second file of a process, which one that is stopped every night never has.
  sink.on('ready', () => {
    removeOldRecords({ folder: dir || '.', base: name, extension }, processes).catch(watch.onFault);
  });
  // Waiting records are written with the next one, and dropped when too many wait.
  sink.on('error', watch.onFault);
  sink.on('drop', watch.onDrop);
  return {
    write: (record) => void sink.write(record),
    close: () =>
      Promise.race([
        sleep(CLOSE_PATIENCE_MS, undefined, { ref: false }),
        new Promise((resolve) => void sink.flush(resolve)),
      ]),
  };
}
