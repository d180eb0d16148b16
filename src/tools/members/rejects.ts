import { lstatSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import type { Fault } from '../../programme/configuration-error.ts';
import { MOST_EXAMPLES } from './examples.ts';
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

/**
 * The rejects file, NDJSON, created with the first reject and readable by its owner only. After `flush` the lines are
 * in the kernel's hands and survive a kill of the process; `bytes` is their size.
 */
export class RejectsFile {
  readonly path: string;
  #bytes: number;
  #waiting: string[] = [];
  readonly #first: Reject[] = [];

  /**
   * Keeps the first `keepBytes` of an earlier run's file; the lines after its last checkpoint are cut off. Without any, the
   * file is removed, or a run without rejects would leave those of an earlier one; a device, such as `/dev/null`, stays.
   */
  constructor(path: string, keepBytes: number) {
    this.path = path;
    this.#bytes = keepBytes;
    if (keepBytes > 0) truncateSync(path, keepBytes);
    else if (lstatSync(path, { throwIfNoEntry: false })?.isFile()) rmSync(path);
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(reject: Reject): void {
    if (this.#first.length < MOST_EXAMPLES) this.#first.push(reject);
    this.#waiting.push(`${JSON.stringify(reject)}\n`);
  }

  /** The first rejected rows of this run. */
  get first(): readonly Reject[] {
    return this.#first;
  }

  flush(): void {
    if (this.#waiting.length === 0) return;
    const text = Buffer.from(this.#waiting.join(''));
    this.#waiting = [];
    writeFileSync(this.path, text, { flag: this.#bytes > 0 ? 'a' : 'w', mode: 0o600 });
    this.#bytes += text.length;
  }
}
