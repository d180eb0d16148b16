/** Control sequences for drawing in place on a terminal. */

export const ERASE_LINE = '\r\u001b[K';

/** Moves to the start of the line `count` lines above, and erases everything below it. */
export function eraseLines(count: number): string {
  return count > 0 ? `\u001b[${count}F\u001b[J` : '';
}
