import type { Fault } from '../../programme/configuration-error.ts';

/** One row of an import in any format. */
export interface MemberRow {
  /** Line number, counted from 1; the last line of a row that spans several. */
  readonly line: number;
  /** Bytes of the input up to and including this row. */
  readonly endOffset: number;
  /** The row's content; undefined when it is unreadable. */
  readonly value: unknown;
  /** The fault of an unreadable row. */
  readonly fault?: Fault;
}

/** A position in the input; all rows before it are done. */
export interface Position {
  readonly line: number;
  readonly offset: number;
}

/** Creates a row that cannot be read. */
export function unreadable(line: number, endOffset: number, found: string, allowed: string): MemberRow {
  return { line, endOffset, value: undefined, fault: { path: '', found, allowed } };
}
