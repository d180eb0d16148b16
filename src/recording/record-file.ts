import { extname } from 'node:path';
import type { SonicBoom } from 'sonic-boom';

/** Bytes that may wait for a slow disk before records are dropped: a till never waits for a recording. */
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024;
/** A new file every day, and whenever one has grown to this many megabytes. */
const PART_MEGABYTES = 128;
/** Older files are removed: one process' recording stays below 4 GB. */
const PARTS_KEPT = 30;
const CLOSE_PATIENCE_MS = 1000;
const DEFAULT_EXTENSION = '.ndjson';

/** Whom a record file tells of what goes wrong; nobody else notices. */
export interface RecordWatch {
  /** The disk did not take what was written; told every time. */
  readonly onFault: (error: Error) => void;
  /** A record was given up. */
  readonly onDrop: () => void;
}

/** The files of one process: `baskets.ndjson` becomes `baskets-<process>.<day>.<part>.ndjson`, readable by their owner. */
export class RecordFile {
  readonly #sink: SonicBoom;

  private constructor(sink: SonicBoom) {
    this.#sink = sink;
  }

  /** Opens the day's file. */
  static async open(file: string, processNumber: number, watch: RecordWatch): Promise<RecordFile> {
    const extension = extname(file);
    const base = extension === '' ? file : file.slice(0, -extension.length);
    // Loaded where it is used: it costs a start more than all the rest of recording.
    const { default: buildRoll } = await import('pino-roll');
    const sink = (await buildRoll({
      // Told apart from a name's ending by a hyphen: what follows the last dot is taken for the ending.
      file: `${base}-${processNumber}${extension || DEFAULT_EXTENSION}`,
      frequency: 'daily',
      dateFormat: 'yyyy-MM-dd',
      size: PART_MEGABYTES,
      limit: { count: PARTS_KEPT, removeOtherLogFiles: true },
      mkdir: true,
      mode: 0o600,
      maxLength: MAX_BUFFERED_BYTES,
    })) as SonicBoom;
    // What waits is tried again with the next record, and dropped when too much waits.
    sink.on('error', watch.onFault);
    sink.on('drop', watch.onDrop);
    return new RecordFile(sink);
  }

  /** Takes a record, a line with its break, and returns at once. */
  write(record: string): void {
    this.#sink.write(record);
  }

  /** Writes what waits; a disk that does not take it within a second is left. */
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
