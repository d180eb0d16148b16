import { lstatSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import type { Fault } from '../../../../src/programme/configuration-error.ts';
import type { RowPlace } from './rows.ts';

/** A rejected row as a line of the rejects file. */
export interface Reject {
  /** The row's first line, counted from 1. */
  readonly line: number;
  /** Its last line, if it has several. */
  readonly lastLine?: number;
  /** The place in the row: `grants[0]`; empty for the row as a whole. */
  readonly field: string;
  readonly reason: string;
}

export function toReject({ line, lastLine }: RowPlace, { path, found, allowed }: Fault): Reject {
  return { line, ...(lastLine > line && { lastLine }), field: path, reason: `found ${found}, allowed: ${allowed}` };
}

const LINE_END = 0x0a;
const BEGINNING_BYTES = 64;
/** How each line begins, as `toReject` orders the fields. */
const BEGINNING = /^\{"line":\d+,("lastLine":\d+,)?"field":"/;

/** The rejects file, NDJSON, created with the first reject and readable by its owner only. */
export class RejectsFile {
  readonly path: string;
  #bytes: number;

  /**
   * Keeps the first `keepBytes` of an interrupted run's file; the lines after its last checkpoint are cut off. Throws when
   * the file no longer has them. A device, such as `/dev/null`, keeps nothing.
   */
  constructor(path: string, keepBytes: number) {
    this.path = path;
    this.#bytes = keepBytes;
    const found = statSync(path, { throwIfNoEntry: false });
    if (keepBytes === 0 || (found && !found.isFile())) return;
    if (!found || readFileSync(path)[keepBytes - 1] !== LINE_END)
      throw new Error(`--resume: ${path} no longer has the rows rejected so far; import without --resume`);
    truncateSync(path, keepBytes);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Appends lines. They are then in the kernel's hands, and survive a kill of the process. */
  write(rejects: readonly Reject[]): void {
    if (rejects.length === 0) return;
    const text = Buffer.from(rejects.map((reject) => `${JSON.stringify(reject)}\n`).join(''));
    writeFileSync(this.path, text, { flag: this.#bytes > 0 ? 'a' : 'w', mode: 0o600 });
    this.#bytes += text.length;
  }

  /** Removes the rejects of an earlier run if this one has none; any other file or device under the name stays. */
  removeEarlier(): void {
    if (this.#bytes > 0 || !lstatSync(this.path, { throwIfNoEntry: false })?.isFile()) return;
    if (BEGINNING.test(readFileSync(this.path).toString('latin1', 0, BEGINNING_BYTES))) rmSync(this.path);
  }
}
