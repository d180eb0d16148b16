import { type FileHandle, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { FileLock } from './file-lock.ts';
import type { OutboxRecord, OutboxStore } from './store.ts';

/**
 * An append-only file: one record a line, behind a checksum. A line that a crash cut off, or that a disk lost a part of,
 * does not match its checksum and is passed over; the lines around it stay whole. What is appended while a sync is
 * running shares the next one.
 */
export class FileStore implements OutboxStore {
  readonly #path: string;
  readonly #onFault: (detail: string) => void;
  readonly #waiting: Waiting[] = [];
  #handle: FileHandle | undefined;
  #lock: FileLock | undefined;
  /** True when the file's last line may be cut off: the next write then begins a line of its own. */
  #isTorn = false;
  #writing: Promise<void> | undefined;
  #replacing: Promise<void> | undefined;

  /** `onFault` is told of lines that were passed over. */
  constructor(path: string, onFault: (detail: string) => void = () => {}) {
    this.#path = path;
    this.#onFault = onFault;
  }

  /** Throws when the file cannot be opened, or another process has it; then nothing of it stays open. */
  async load(): Promise<OutboxRecord[]> {
    this.#lock = await FileLock.take(`${this.#path}.lock`);
    try {
      return await this.#open();
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  async #open(): Promise<OutboxRecord[]> {
    this.#handle = await open(this.#path, 'a', 0o600);
    await syncFolder(this.#path);
    const text = await readFile(this.#path, 'utf8');
    this.#isTorn = text !== '' && !text.endsWith('\n');
    const records: OutboxRecord[] = [];
    let badLines = 0;
    for (const line of text.split('\n')) {
      const record = line === '' ? undefined : parseLine(line);
      if (record) records.push(record);
      else if (line !== '') badLines += 1;
    }
    if (badLines > 0) this.#onFault(`${this.#path}: ${badLines} lines are not whole; passed over`);
    return records;
  }

  append(records: readonly OutboxRecord[]): Promise<void> {
    const text = records.map(renderLine).join('');
    return new Promise((resolve, reject) => {
      this.#waiting.push({ text, resolve, reject });
      this.#writing ??= this.#writeAll();
    });
  }

  async replace(records: readonly OutboxRecord[]): Promise<void> {
    while (this.#writing) await this.#writing;
    this.#replacing = this.#replace(records);
    try {
      await this.#replacing;
    } finally {
      this.#replacing = undefined;
    }
  }

  async #replace(records: readonly OutboxRecord[]): Promise<void> {
    const fresh = `${this.#path}.new`;
    const handle = await open(fresh, 'w', 0o600);
    try {
      await handle.writeFile(records.map(renderLine).join(''));
      await handle.datasync();
    } finally {
      await handle.close();
    }
    await rename(fresh, this.#path);
    await syncFolder(this.#path);
    const old = this.#handle;
    this.#handle = await open(this.#path, 'a', 0o600);
    this.#isTorn = false;
    await old?.close();
  }

  async close(): Promise<void> {
    while (this.#writing) await this.#writing;
    await this.#replacing?.catch(() => {});
    const handle = this.#handle;
    this.#handle = undefined;
    try {
      await handle?.close();
    } finally {
      this.#lock?.release();
    }
  }

  async #writeAll(): Promise<void> {
    // Everything that is appended in the same turn goes into the first write.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      // What is appended now belongs to the new file; a failure is told to the one who replaces.
      await this.#replacing?.catch(() => {});
      const batch = this.#waiting.splice(0);
      try {
        await this.#write(batch.map(({ text }) => text).join(''));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error as Error);
      }
    }
    this.#writing = undefined;
  }

  async #write(text: string): Promise<void> {
    const handle = this.#handle;
    if (!handle) throw new Error(`${this.#path} is not open`);
    const whole = this.#isTorn ? `\n${text}` : text;
    // A full disk may take a part of it.
    this.#isTorn = true;
    await handle.appendFile(whole);
    this.#isTorn = false;
    await handle.datasync();
  }
}

interface Waiting {
  readonly text: string;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

const CHECKSUM_DIGITS = 8;

function renderLine(record: OutboxRecord): string {
  const json = JSON.stringify(record);
  return `${checksum(json)} ${json}\n`;
}

function parseLine(line: string): OutboxRecord | undefined {
  const json = line.slice(CHECKSUM_DIGITS + 1);
  if (line.slice(0, CHECKSUM_DIGITS) !== checksum(json)) return undefined;
  try {
    return JSON.parse(json) as OutboxRecord;
  } catch {
    return undefined;
  }
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(CHECKSUM_DIGITS, '0');
}

/** A new or renamed file is there after a crash only when its folder was synced too. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
