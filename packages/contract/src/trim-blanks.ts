const BLANK = 0x20;
const TAB = 0x09;

/**
 * Removes blanks and tabs from both ends, the optional white space of HTTP (RFC 9110, 5.6.3). It is written by hand because
 * it meets the headers of strangers: an expression with two open ends takes quadratic time for blanks between two letters.
 */
export function trimBlanks(text: string): string {
  let from = 0;
  let to = text.length;
  // Beyond its ends a text has no character, which is no blank.
  while (isBlank(text.charCodeAt(from))) from += 1;
  while (isBlank(text.charCodeAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

function isBlank(code: number): boolean {
  return code === BLANK || code === TAB;
}
