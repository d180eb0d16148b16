/** Lines of a log that say what is wrong with Redis. */
import { isDeepStrictEqual } from 'node:util';

export interface Telling {
  readonly msg: unknown;
  readonly cause: unknown;
}

/**
 * Message and cause of each line, without what a standstill adds: Redis falls silent for a moment, speaks again, and what was the case
 * before is told anew.
 */
export function tellingsBesideSilence(lines: readonly Telling[]): [msg: unknown, cause: unknown][] {
  const told: [msg: unknown, cause: unknown][] = [];
  let wasSilent = false;
  for (const { msg, cause } of lines) {
    const isAgain = wasSilent && isDeepStrictEqual(told.at(-1), [msg, cause]);
    wasSilent = cause === 'no_answer';
    if (!wasSilent && !isAgain) told.push([msg, cause]);
  }
  return told;
}
