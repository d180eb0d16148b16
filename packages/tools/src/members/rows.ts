import type { Fault } from '../../../../src/programme/configuration-error.ts';

/** The place of a row in the input. */
export interface RowPlace {
  /** The row's first line, counted from 1. */
  readonly line: number;
  /** Its last line; another one only for a row of several lines. */
  readonly lastLine: number;
  /** Bytes of the input up to and including this row. */
  readonly endOffset: number;
}

/** One row of an import in any format. */
export interface MemberRow extends RowPlace {
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
export function unreadable(place: RowPlace, found: string, allowed: string): MemberRow {
  return { ...place, value: undefined, fault: { path: '', found, allowed } };
}
