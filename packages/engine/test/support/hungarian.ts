/**
 * The largest sum of gains when each row takes one column at most and each column one row at most, by the Hungarian algorithm
 * over whole numbers. A pair whose gain is 0 or below is never worth more than none. It shares nothing with the engine.
 */
export function largestAssignment(gains: readonly (readonly number[])[]): number {
  const rows = gains.length;
  // A column of its own for each row stands for taking none.
  const columns = (gains[0]?.length ?? 0) + rows;
  const costOf = (row: number, column: number): number => -Math.max(0, gains[row]![column] ?? 0);
  const rowPotential = new Array<number>(rows + 1).fill(0);
  const columnPotential = new Array<number>(columns + 1).fill(0);
  const rowOf = new Array<number>(columns + 1).fill(0);
  for (let row = 1; row <= rows; row++) {
    const way = new Array<number>(columns + 1).fill(0);
    const least = new Array<number>(columns + 1).fill(Number.POSITIVE_INFINITY);
    const isUsed = new Array<boolean>(columns + 1).fill(false);
    rowOf[0] = row;
    let at = 0;
    do {
      isUsed[at] = true;
      const own = rowOf[at]!;
      let delta = Number.POSITIVE_INFINITY;
      let next = 0;
      for (let column = 1; column <= columns; column++) {
        if (isUsed[column]) continue;
        const reduced = costOf(own - 1, column - 1) - rowPotential[own]! - columnPotential[column]!;
        if (reduced < least[column]!) [least[column], way[column]] = [reduced, at];
        if (least[column]! < delta) [delta, next] = [least[column]!, column];
      }
      for (let column = 0; column <= columns; column++) {
        if (isUsed[column]) {
          rowPotential[rowOf[column]!]! += delta;
          columnPotential[column]! -= delta;
        } else least[column]! -= delta;
      }
      at = next;
    } while (rowOf[at] !== 0);
    while (at !== 0) {
      rowOf[at] = rowOf[way[at]!]!;
      at = way[at]!;
    }
  }
  let sum = 0;
  for (let column = 1; column <= columns; column++) {
    if (rowOf[column]! > 0) sum -= costOf(rowOf[column]! - 1, column - 1);
  }
  return sum;
}
