import type { Fault } from '../../programme/configuration-error.ts';

/** One row of an import, whatever its format was. */
export interface MemberRow {
  /** Counted from 1; of a row that spans several lines, the last one. */
  readonly line: number;
  /** Bytes of the input up to and including this row. */
  readonly endOffset: number;
  /** What the row says; undefined when it could not be read. */
  readonly value: unknown;
  /** Why it could not be read. */
  readonly fault?: Fault;
}

/** Where an import goes on: everything before it has been dealt with. */
export interface Position {
  readonly line: number;
  readonly offset: number;
}

/** A row of which nothing can be said but that it cannot be read. */
export function unreadable(line: number, endOffset: number, found: string, allowed: string): MemberRow {
  return { line, endOffset, value: undefined, fault: { path: '', found, allowed } };
}
