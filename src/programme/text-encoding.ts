import { isUtf8 } from 'node:buffer';
import type { LocatedFault } from './configuration-error.ts';

/** Files that are not UTF-8: spreadsheets and older editors save Windows-1252 or UTF-16. */

/** A text that is not UTF-8: the place of its first such byte, both from 1, and words. */
export type EncodingError = Required<Pick<LocatedFault, 'line' | 'column' | 'found' | 'allowed'>>;

const ALLOWED = 'UTF-8: save the file as UTF-8 (in a spreadsheet as "CSV UTF-8") and try again';
const MOST_SHOWN = 60;
const LINE_FEED = 0x0a;

const utf8 = new TextDecoder();
const windows1252 = new TextDecoder('windows-1252');

/** Finds bytes that are not UTF-8, and says how their line reads in the encoding that was probably meant. */
export function findEncodingError(bytes: Uint8Array): EncodingError | undefined {
  if (isUtf16(bytes)) return { line: 1, column: 1, found: 'UTF-16, which is not UTF-8', allowed: ALLOWED };
  if (isUtf8(bytes)) return undefined;
  let line = 1;
  for (let from = 0; ; line += 1) {
    const feed = bytes.indexOf(LINE_FEED, from);
    const own = bytes.subarray(from, feed < 0 ? undefined : feed);
    if (!isUtf8(own)) return errorOf(own, line);
    from = feed + 1;
  }
}

/** True for a file that begins with the mark of UTF-16, in either order of its bytes. */
function isUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

function errorOf(bytes: Uint8Array, line: number): EncodingError {
  const column = utf8.decode(bytes).indexOf('\ufffd') + 1;
  const text = windows1252.decode(bytes).trim();
  const shown = JSON.stringify(text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text);
  return { line, column, found: `bytes that are not UTF-8; as Windows-1252 they read ${shown}`, allowed: ALLOWED };
}
