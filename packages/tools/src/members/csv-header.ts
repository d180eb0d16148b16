import { nearestName } from '../../../../src/programme/nearest-name.ts';
import type { Line } from '../ndjson/read-lines.ts';
import type { CsvFault } from './csv-record.ts';
import { describeBytes, findSeparator } from './spreadsheet.ts';

/** The first record of a CSV file, which names its columns. */

export interface CsvLayout {
  readonly columns: readonly string[];
  /** A list of members may have other columns, which are not read, or no header and IDs alone. */
  readonly isList?: true;
}

export const MEMBER_LAYOUT: CsvLayout = {
  columns: ['programmeId', 'loyaltyId', 'status', 'tier', 'memberLabel', 'grants', 'addGrants', 'removeGrants'],
};

/** A list of members, such as those that are to get a voucher. */
export const LIST_LAYOUT: CsvLayout = { columns: ['programmeId', 'loyaltyId'], isList: true };

/** The name of a column that is not read. */
export const NOT_READ = '';

/** In the place of a record: a line that cannot be one. */
export const NO_TEXT = 'bytes that are not UTF-8';
export const TOO_LONG = 'a line that is too long';

/** A record with its lines, or a fault of its only line. */
export interface RecordLines {
  readonly firstLine: Line;
  readonly lastLine: Line;
  readonly read: readonly string[] | { readonly fault: CsvFault | typeof NO_TEXT | typeof TOO_LONG };
}

export interface Header {
  readonly columns: readonly string[];
  /** True where the first record is a row already. */
  readonly isMissing: boolean;
}

/** Reads the header. Throws when it names other columns than the layout allows. */
export function readHeader({ firstLine, read }: RecordLines, { columns, isList }: CsvLayout): Header {
  if ('fault' in read) {
    const words = read.fault === NO_TEXT ? describeBytes(firstLine.bytes as Buffer, []).found : read.fault;
    throw new Error(`the header is no CSV: ${words}; save the file as "CSV UTF-8 (comma delimited)"`);
  }
  const separator = findSeparator(read, columns);
  if (separator !== undefined) throw new Error(separator);
  const unknown = read.find((name) => !columns.includes(name));
  if (isList && read.length === 1 && unknown !== undefined) return { columns: ['loyaltyId'], isMissing: true };
  const isComplete = read.includes('loyaltyId');
  if (unknown !== undefined && !(isList && isComplete)) {
    const nearest = nearestName(unknown.trim(), columns);
    const meant = nearest === undefined ? '' : `; did you mean ${nearest}?`;
    throw new Error(`the header names the column ${JSON.stringify(unknown)}, allowed: ${columns.join(', ')}${meant}`);
  }
  const repeated = read.find((name, index) => columns.includes(name) && read.indexOf(name) < index);
  if (repeated !== undefined) throw new Error(`the header names the column ${JSON.stringify(repeated)} twice`);
  return { columns: read.map((name) => (columns.includes(name) ? name : NOT_READ)), isMissing: false };
}
