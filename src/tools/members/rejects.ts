import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import type { Fault } from '../../programme/configuration-error.ts';

/** A row that was not taken, as a line of the rejects file says it. */
export interface Reject {
  readonly line: number;
  /** Where in the row: `grants[0]`; empty for the row as a whole. */
  readonly field: string;
  readonly reason: string;
}

export function toReject(line: number, { path, found, allowed }: Fault): Reject {
  return { line, field: path, reason: `found ${found}, allowed: ${allowed}` };
}

/**
 * The rejects file, NDJSON. Made with the first reject, readable by its owner only. What `flush` has returned for is in
 * the kernel's hands: a killed process does not lose it, and `bytes` says how much that is.
 */
export class RejectsFile {
  readonly path: string;
  #bytes: number;
  #descriptor: number | undefined;
  #waiting: string[] = [];

  /** `keepBytes` of an earlier run's file are kept, what it wrote after its last checkpoint is cut off. */
  constructor(path: string, keepBytes: number) {
    this.path = path;
    this.#bytes = keepBytes;
    if (keepBytes > 0) ftruncateSync(this.#open(), keepBytes);
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(reject: Reject): void {
    this.#waiting.push(`${JSON.stringify(reject)}\n`);
  }

  flush(): void {
    if (this.#waiting.length === 0) return;
    const text = Buffer.from(this.#waiting.join(''));
    this.#waiting = [];
    for (let at = 0; at < text.length; ) at += writeSync(this.#open(), text, at, text.length - at, this.#bytes + at);
    this.#bytes += text.length;
  }

  close(): void {
    this.flush();
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
  }

  #open(): number {
    this.#descriptor ??= openSync(this.path, this.#bytes > 0 ? 'r+' : 'w', 0o600);
    return this.#descriptor;
  }
}
