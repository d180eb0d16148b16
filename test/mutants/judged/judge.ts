import type { Judgement } from '../mutant.ts';

export const FAST_PATH = 'The path beside it gives the same result, only more slowly.';

/** The changes of a file that no test can find, for one reason. */
export function judge(
  file: string,
  reason: string,
  changes: readonly (readonly [original: string, replacement: string])[],
): Judgement[] {
  return changes.map(([original, replacement]) => ({ file, original, replacement, reason }));
}
