import { fstat } from 'node:fs';
import { mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import type { Logger } from 'pino';
import type sonicBoom from 'sonic-boom';
import { WaitingLines } from './waiting-lines.ts';

/** Lines that never reached the log, by cause, since the start. */
export interface LogLosses {
  /** The sink took no more, on a full disk or in a pipe that nobody reads, until the buffer was full or the log was closed. */
  readonly blocked: number;
  /** At most so many lines went into a file that was removed. */
  readonly removed: number;
}

type Sink = InstanceType<typeof sonicBoom.SonicBoom>;
/** The library's types leave out its public fields; the file is null until it is open. */
type OpenSink = Sink & { readonly fd: number; readonly file: string | null };

const LOOK_MS = 1000;
/** Nobody will ever read what waits: the other end of a pipe or a socket is closed, or the terminal is gone. */
const READER_GONE = new Set(['EPIPE', 'ECONNRESET', 'EIO']);
/** As the folder was made at the start. */
const FOLDER_MODE = 0o700;

/**
 * Counts the lines that are lost, and opens a log file anew when it, or a folder above it, was removed or renamed: writing
 * to a removed file succeeds, and nobody reads it.
 */
export class LogWatch {
  readonly #sink: OpenSink;
  readonly #waiting = new WaitingLines();
  #blocked = 0;
  #removed = 0;
  /** Lost lines that no line of the log has reported yet. */
  #unreported = 0;
  /** Lines since the last look that found the file in its place. */
  #writtenSince = 0;
  #log: Logger | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  /** True from the look that found the file removed until another one is open. */
  #isRemoved = false;

  /** `canReturn` says of a reader that has gone that another one may come, who gets what waits. */
  constructor(sink: Sink, canReturn: boolean) {
    this.#sink = sink as OpenSink;
    sink.on('drop', () => {
      this.#waiting.takeBack();
      this.#lose(1);
      this.#writtenSince -= 1;
    });
    sink.on('write', (bytes: number) => this.#waiting.write(bytes));
    sink.on('error', ({ code = '' }: NodeJS.ErrnoException) => {
      if (!canReturn && READER_GONE.has(code)) this.#lose(this.#waiting.giveUp());
    });
    const write = sink.write.bind(sink);
    sink.write = (line) => {
      this.#writtenSince += 1;
      this.#waiting.add(line);
      return write(line);
    };
  }

  /** Lines that are not yet written. */
  get waiting(): number {
    return this.#waiting.count;
  }

  get losses(): LogLosses {
    return { blocked: this.#blocked, removed: this.#removed };
  }

  /** Watches from now on, and reports losses in the log itself once it takes lines again. A descriptor has no file to look at. */
  start(log: Logger, hasFile: boolean): void {
    this.#log = log;
    this.#sink.on('drain', () => this.#report());
    if (!hasFile) return;
    this.#timer = setInterval(() => void this.#look(), LOOK_MS).unref();
    process.on('SIGHUP', () => void this.#look());
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Counts what waits as lost, because nothing more is written. Returns the lost lines that no line of the log has reported. */
  end(): number {
    this.#lose(this.#waiting.giveUp());
    return this.#unreported;
  }

  #lose(lines: number): void {
    this.#blocked += lines;
    this.#unreported += lines;
  }

  #report(): void {
    // A removed file takes lines too, and the report would be lost with them.
    if (this.#unreported === 0 || this.#isRemoved) return;
    const count = this.#unreported;
    this.#unreported = 0;
    this.#log?.warn({ count, ...this.losses }, 'log lines lost');
  }

  /** Never throws: what cannot be opened now is tried again at the next look. */
  async #look(): Promise<void> {
    const { fd, file } = this.#sink;
    if (this.#isLooking || file === null || fd < 0) return;
    this.#isLooking = true;
    try {
      const [held, found] = await Promise.all([promisify(fstat)(fd), stat(file).catch(() => undefined)]);
      // At midnight another file takes its place.
      const isCurrent = (): boolean => this.#sink.fd === fd && this.#sink.file === file;
      if (!isCurrent()) return;
      this.#count(held.nlink === 0);
      if (found?.ino === held.ino && found.dev === held.dev) return;
      await mkdir(dirname(file), { recursive: true, mode: FOLDER_MODE });
      // The library keeps a listener for every failed attempt, which could later close a descriptor of another file.
      await (await open(file, 'a')).close();
      if (isCurrent()) this.#reopen(file);
    } catch {
      // The folder cannot be made, or the file cannot be opened.
    } finally {
      this.#isLooking = false;
    }
  }

  #count(isRemoved: boolean): void {
    this.#isRemoved = isRemoved;
    if (isRemoved) {
      this.#removed += this.#writtenSince;
      this.#unreported += this.#writtenSince;
    }
    this.#writtenSince = 0;
  }

  #reopen(file: string): void {
    this.#sink.once('ready', () => {
      this.#isRemoved = false;
      this.#log?.warn({ file }, 'log file opened anew: it had been removed or renamed');
      this.#report();
    });
    this.#sink.reopen();
  }
}
