import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import type { Position } from './rows.ts';

/** What an import has come to. */
export interface ImportCounts {
  readonly read: number;
  readonly written: number;
  /** Of the written ones, those that were stored like that already. */
  readonly unchanged: number;
  readonly rejected: number;
}

/** Everything before `position` has been written or rejected. */
export interface Checkpoint {
  readonly position: Position;
  readonly counts: ImportCounts;
  readonly rejectsBytes: number;
}

interface StateFile extends Checkpoint {
  readonly input: string;
}

const IDENTIFYING_BYTES = 64 * 1024;

/** The small file beside an import's input that lets a later run go on where this one ended, however it ended. */
export class CheckpointFile {
  readonly path: string;
  readonly #input: string;

  constructor(inputFile: string) {
    this.path = `${inputFile}.import-state`;
    this.#input = identityOf(inputFile);
  }

  /** Replaced as a whole, so that a kill leaves the one before or this one. */
  write(checkpoint: Checkpoint): void {
    const state: StateFile = { input: this.#input, ...checkpoint };
    const next = `${this.path}.next`;
    writeFileSync(next, `${JSON.stringify(state)}\n`, { mode: 0o600 });
    renameSync(next, this.path);
  }

  /** What an earlier run has left; undefined when there is none. Throws when it was of another input. */
  read(): Checkpoint | undefined {
    if (!existsSync(this.path)) return undefined;
    const { input, ...checkpoint } = JSON.parse(readFileSync(this.path, 'utf8')) as StateFile;
    if (input !== this.#input)
      throw new Error(`${this.path} is of another or a changed input; import without --resume`);
    return checkpoint;
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }
}

/** Size, time of change and a hash of the beginning: enough to tell that an export was made anew under the same name. */
function identityOf(file: string): string {
  const { size, mtimeMs } = statSync(file);
  const start = Buffer.alloc(Math.min(size, IDENTIFYING_BYTES));
  const descriptor = openSync(file, 'r');
  readSync(descriptor, start);
  closeSync(descriptor);
  return `${size} ${mtimeMs} ${createHash('sha256').update(start).digest('base64url')}`;
}
