import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ImportCounts } from './import-tally.ts';

/** The progress of an import. */
export interface Checkpoint {
  /** Every row that ends within so many bytes of the input has been written or rejected. */
  readonly offset: number;
  readonly counts: ImportCounts;
  readonly rejectsBytes: number;
}

/** The options of an import that a resumed one goes on with. */
export interface LastingOptions {
  readonly format: 'ndjson' | 'csv';
  readonly programme?: string;
  readonly replace?: boolean;
  readonly keepEnded?: boolean;
  /** Absolute, so that an import resumed from another folder finds it. */
  readonly rejects: string;
  readonly allowRejects?: boolean;
  /** Rows per second. */
  readonly rate?: number;
}

interface Kept extends Checkpoint {
  /** Size and time of change of the input, which tell a new export under the same name. */
  readonly input: string;
  readonly options?: LastingOptions;
}

/** Checkpoints are written a few times a second. Rows repeated after a kill change nothing and take little time. */
const INTERVAL_MS = 250;

/** The state file beside an import's input, from which a later run continues after any end of this one. */
export class CheckpointFile {
  readonly path: string;
  readonly #input: string;
  #writtenMs = Number.NEGATIVE_INFINITY;

  constructor(inputFile: string) {
    this.path = `${inputFile}.import-state`;
    const { size, mtimeMs } = statSync(inputFile);
    this.#input = `${size} ${mtimeMs}`;
  }

  /** Writes the file as a whole, so that a kill leaves either the old or the new checkpoint. */
  write(checkpoint: Checkpoint, options: LastingOptions): void {
    if (performance.now() - this.#writtenMs < INTERVAL_MS) return;
    const kept: Kept = { input: this.#input, options, ...checkpoint };
    writeFileSync(`${this.path}.next`, `${JSON.stringify(kept)}\n`, { mode: 0o600 });
    renameSync(`${this.path}.next`, this.path);
    this.#writtenMs = performance.now();
  }

  /** Reads what an interrupted import has left. Throws when there is nothing, or when it belongs to another input. */
  read(): Checkpoint & { readonly options: LastingOptions } {
    if (!existsSync(this.path)) {
      throw new Error(`--resume: there is no ${this.path} to continue from; import without --resume`);
    }
    const { input, options, ...checkpoint } = this.#parse();
    if (input === this.#input && options) return { ...checkpoint, options };
    throw new Error(`${this.path} is of another or a changed input, or of version 0.2.0; import without --resume`);
  }

  #parse(): Partial<Kept> & Checkpoint {
    const text = readFileSync(this.path, 'utf8');
    try {
      return (JSON.parse(text) ?? {}) as Kept;
    } catch {
      throw new Error(`${this.path} cannot be read; import without --resume`);
    }
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }
}

/** Options that decide what is written and where: the rows before the interruption were written with them. */
const FIXED = {
  format: '--format',
  programme: '--programme',
  replace: '--replace',
  keepEnded: '--keep-ended',
  rejects: '--rejects',
} as const;

/** Adds the defaults to the options of an import of `file`; `-` is standard input. */
export function completeOptions(file: string, given: Partial<LastingOptions>): LastingOptions {
  return {
    ...given,
    format: given.format ?? (file.endsWith('.csv') ? 'csv' : 'ndjson'),
    rejects: resolve(given.rejects ?? (file === '-' ? 'members.rejects.ndjson' : `${file}.rejects.ndjson`)),
  };
}

/**
 * The options of a resumed import: those of the interrupted one, so that `--resume` alone is enough. The rate and
 * `--allow-rejects` can be changed. Throws when another option differs.
 */
export function resumeOptions(earlier: LastingOptions, named: Partial<LastingOptions>): LastingOptions {
  const given = { ...named, ...(named.rejects !== undefined && { rejects: resolve(named.rejects) }) };
  for (const name of Object.keys(FIXED) as (keyof typeof FIXED)[]) {
    if (given[name] === undefined || given[name] === earlier[name]) continue;
    const before = earlier[name] === undefined ? 'without it' : `with ${earlier[name]}`;
    throw new Error(`${FIXED[name]}: the interrupted import began ${before}; leave it out, or import without --resume`);
  }
  return { ...earlier, ...given };
}
