/** Finds the known name that somebody meant, for a name that is not known. */

const MIN_PREFIX_CHARACTERS = 3;
/** One mistyped character in three is still the same word. */
const CHARACTERS_PER_MISTAKE = 3;

/** Returns the nearest known name, or undefined when none is near. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  let best: { readonly candidate: string; readonly distance: number } | undefined;
  for (const candidate of known) {
    const distance = distanceBetween(name.toLowerCase(), candidate.toLowerCase());
    if (distance > mistakesAllowed(name, candidate) || distance >= Math.min(name.length, candidate.length)) continue;
    if (best === undefined || distance < best.distance) best = { candidate, distance };
  }
  return best?.candidate ?? known.find((candidate) => isBeginning(name, candidate) || isBeginning(candidate, name));
}

function mistakesAllowed(name: string, candidate: string): number {
  return Math.max(1, Math.floor(Math.max(name.length, candidate.length) / CHARACTERS_PER_MISTAKE));
}

function isBeginning(beginning: string, name: string): boolean {
  return beginning.length >= MIN_PREFIX_CHARACTERS && name.toLowerCase().startsWith(beginning.toLowerCase());
}

/** Insertions, deletions, replacements and swaps of neighbours that lead from one text to the other. */
function distanceBetween(from: string, to: string): number {
  // Row by row: how far the beginning of one text is from each beginning of the other.
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= from.length; row += 1) {
    const [last, beforeLast] = [rows[row - 1]!, rows[row - 2]];
    const own = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      // Before the first character there is none that could be the same.
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const swapped = isSwap ? beforeLast![column - 2]! + 1 : Number.POSITIVE_INFINITY;
      own.push(Math.min(last[column]! + 1, own[column - 1]! + 1, last[column - 1]! + (isSame ? 0 : 1), swapped));
    }
    rows.push(own);
  }
  return rows[from.length]![to.length]!;
}
