/** What a terminal is told to draw in place. */

export const ERASE_LINE = '\r\u001b[K';

/** To the start of the line so many lines above, with all below it erased. */
export function eraseLines(count: number): string {
  return count > 0 ? `\u001b[${count}F\u001b[J` : '';
}
