import { extname } from 'node:path';
import type { SonicBoom } from 'sonic-boom';

/**
 * Bytes that may wait for a slow disk. Above it records are dropped, because a till must never wait for a recording.
 */
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024;
/** A new file starts every day, and when the present one reaches this size in megabytes. */
export const PART_MEGABYTES = 128;
/** Files kept; with this number one process' recording stays below 4 GB. */
export const PARTS_KEPT = 30;
const CLOSE_PATIENCE_MS = 1000;
const DEFAULT_EXTENSION = '.ndjson';

/** Callbacks for the failures of a record file, which are visible nowhere else. */
export interface RecordWatch {
  /** A write to the disk failed; called every time. */
  readonly onFault: (error: Error) => void;
  /** A record was dropped. */
  readonly onDrop: () => void;
}

/**
 * The record files of one process: `baskets.ndjson` becomes `baskets-<process>.<day>.<part>.ndjson`, readable by their
 * owner only.
 */
export class RecordFile {
  readonly #sink: SonicBoom;

  private constructor(sink: SonicBoom) {
    this.#sink = sink;
  }

  /** Opens the day's file. */
  static async open(file: string, processNumber: number, watch: RecordWatch): Promise<RecordFile> {
    const extension = extname(file);
    const base = extension === '' ? file : file.slice(0, -extension.length);
    // Imported only when recording is on, because it costs a start more time than the rest of recording.
    const { default: buildRoll } = await import('pino-roll');
    const sink = (await buildRoll({
      // A hyphen precedes the process number, because the library treats the text after the last dot as the extension.
      file: `${base}-${processNumber}${extension || DEFAULT_EXTENSION}`,
      frequency: 'daily',
      dateFormat: 'yyyy-MM-dd',
      size: PART_MEGABYTES,
      limit: { count: PARTS_KEPT, removeOtherLogFiles: true },
      mkdir: true,
      mode: 0o600,
      maxLength: MAX_BUFFERED_BYTES,
    })) as SonicBoom;
    // Waiting records are written with the next one, and dropped when too many wait.
    sink.on('error', watch.onFault);
    sink.on('drop', watch.onDrop);
    return new RecordFile(sink);
  }

  /** Queues a record, a line with its break, and returns at once. */
  write(record: string): void {
    this.#sink.write(record);
  }

  /** Writes the waiting records; gives up after a second. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, CLOSE_PATIENCE_MS);
      this.#sink.flush(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}
