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
import { type ChangeCounts, NO_CHANGES } from './changes.ts';
import type { LastingOptions } from './import-options.ts';
import type { Position } from './rows.ts';

/** The counts of an import. */
export interface ImportCounts {
  readonly read: number;
  readonly written: number;
  /** Written members that were stored equally already. */
  readonly unchanged: number;
  readonly rejected: number;
  /** What changed of the written members. */
  readonly changes: ChangeCounts;
}

/** The progress of an import: every row before `position` has been written or rejected. */
export interface Checkpoint {
  readonly position: Position;
  readonly counts: ImportCounts;
  readonly rejectsBytes: number;
}

/** What an interrupted import has left; the file of version 0.2 has no options. */
interface Interrupted {
  readonly checkpoint: Checkpoint;
  readonly options: LastingOptions | undefined;
}

const IDENTIFYING_BYTES = 64 * 1024;

/** The state file beside an import's input, from which a later run continues after any end of this one. */
export class CheckpointFile {
  readonly path: string;
  readonly #input: string;

  constructor(inputFile: string) {
    this.path = `${inputFile}.import-state`;
    this.#input = identityOf(inputFile);
  }

  /** Writes the file as a whole, so that a kill leaves either the old or the new checkpoint. */
  write(checkpoint: Checkpoint, options: LastingOptions): void {
    const next = `${this.path}.next`;
    writeFileSync(next, `${JSON.stringify({ input: this.#input, options, ...checkpoint })}\n`, { mode: 0o600 });
    renameSync(next, this.path);
  }

  /** Reads what an interrupted import has left. Throws when there is nothing, or when it belongs to another input. */
  read(): Interrupted {
    if (!existsSync(this.path)) {
      throw new Error(`--resume: there is no ${this.path} to continue from; import without --resume`);
    }
    const { input, options, ...checkpoint } = JSON.parse(readFileSync(this.path, 'utf8')) as Checkpoint & {
      input: string;
      options?: LastingOptions;
    };
    if (input !== this.#input)
      throw new Error(`${this.path} is of another or a changed input; import without --resume`);
    // The version before this one did not count all changes.
    const changes = { ...NO_CHANGES, ...checkpoint.counts.changes };
    return { checkpoint: { ...checkpoint, counts: { ...checkpoint.counts, changes } }, options };
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }
}

/**
 * Identifies an input by size, modification time and a hash of its beginning, which detects a new export under the same
 * name.
 */
function identityOf(file: string): string {
  const { size, mtimeMs } = statSync(file);
  const start = Buffer.alloc(Math.min(size, IDENTIFYING_BYTES));
  const descriptor = openSync(file, 'r');
  readSync(descriptor, start);
  closeSync(descriptor);
  return `${size} ${mtimeMs} ${createHash('sha256').update(start).digest('base64url')}`;
}
