import { constants } from 'node:fs';
import { type FileHandle, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { TellFault } from '../faults.ts';
import { takeLock } from './file-lock.ts';
import { namedIn, parseLine, renderLine } from './lines.ts';
import type { OutboxRecord, OutboxStore } from './store.ts';

const { O_APPEND, O_CREAT, O_TRUNC, O_WRONLY } = constants;
const APPEND = O_APPEND | O_CREAT | O_WRONLY;

/**
 * An append-only file: one record a line, behind a checksum. A line that a crash cut off, or that a disk lost a part of,
 * does not match its checksum. It is moved to a quarantine file beside this one, and the lines around it stay whole.
 */
export class FileStore implements OutboxStore {
  readonly #path: string;
  readonly #onFault: TellFault;
  #handle: FileHandle | undefined;
  #unlock: (() => void) | undefined;
  /** True when the file's last line may be cut off: the next write then begins a line of its own. */
  #isTorn = false;
  /** False while a crash of the machine might bring back the file that was here before this one. */
  #isPlaced = false;

  /** `onFault` is told of damaged lines, with the calculation IDs that can still be read in them. */
  constructor(path: string, onFault: TellFault = () => {}) {
    this.#path = path;
    this.#onFault = onFault;
  }

  /** Throws when the file cannot be opened, or another process has it. */
  async load(): Promise<OutboxRecord[]> {
    this.#unlock = await takeLock(`${this.#path}.lock`);
    this.#handle = await open(this.#path, APPEND, 0o600);
    await this.#place();
    const text = await readFile(this.#path, 'utf8');
    this.#isTorn = text !== '' && !text.endsWith('\n');
    const records: OutboxRecord[] = [];
    const damaged: string[] = [];
    for (const line of text.split('\n')) {
      const record = parseLine(line);
      if (record) records.push(record);
      else if (line !== '') damaged.push(line);
    }
    if (damaged.length > 0) await this.#quarantine(damaged, records);
    return records;
  }

  async append(records: readonly OutboxRecord[]): Promise<void> {
    const handle = this.#handle;
    if (!handle) throw new Error(`${this.#path} is not open`);
    if (!this.#isPlaced) await this.#place();
    const lineEnd = this.#isTorn ? '\n' : '';
    // A full disk may take a part of it.
    this.#isTorn = true;
    await handle.appendFile(lineEnd + records.map(renderLine).join(''));
    this.#isTorn = false;
    await handle.datasync();
  }

  async replace(records: readonly OutboxRecord[]): Promise<void> {
    const fresh = `${this.#path}.new`;
    const handle = await open(fresh, APPEND | O_TRUNC, 0o600);
    try {
      await handle.appendFile(records.map(renderLine).join(''));
      await handle.datasync();
      await rename(fresh, this.#path);
    } catch (error) {
      await handle.close();
      // On a full disk the half of a file takes the room that the next event needs.
      await rm(fresh, { force: true });
      throw error;
    }
    // From the renaming on the old file has no name, and an event written into it would be lost.
    const old = this.#handle;
    this.#handle = handle;
    this.#isTorn = false;
    this.#isPlaced = false;
    await old?.close();
    await this.#place();
  }

  /** May be called again: the lock is given back once, because its descriptor may be another file's afterwards. */
  async close(): Promise<void> {
    const [handle, unlock] = [this.#handle, this.#unlock];
    this.#handle = undefined;
    this.#unlock = undefined;
    try {
      await handle?.close();
    } finally {
      unlock?.();
    }
  }

  /** The lines leave the outbox only when they are safe elsewhere; where that fails, the next start tells of them again. */
  async #quarantine(lines: readonly string[], whole: readonly OutboxRecord[]): Promise<void> {
    const target = `${this.#path}.quarantine`;
    const found = `${this.#path}: ${lines.length} lines are not whole`;
    const calculationIds = namedIn(lines);
    try {
      const handle = await open(target, APPEND, 0o600);
      try {
        await handle.appendFile(`${lines.join('\n')}\n`);
        await handle.datasync();
      } finally {
        await handle.close();
      }
      await this.replace(whole);
      this.#onFault(`${found}; they are in ${target} now`, calculationIds);
    } catch (error) {
      this.#onFault(`${found}; they stay, because ${target}: ${(error as Error).message}`, calculationIds);
    }
  }

  /** A new or renamed file is there after a crash only when its folder was synced too. */
  async #place(): Promise<void> {
    if (process.platform !== 'win32') {
      const folder = await open(dirname(this.#path), 'r');
      try {
        await folder.sync();
      } finally {
        await folder.close();
      }
    }
    this.#isPlaced = true;
  }
}
