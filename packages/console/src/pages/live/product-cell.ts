/**
 * Product IDs in one cell of a table, separated by blanks. An ID may have any character: one with a blank or a semicolon stands in
 * quotes, as a JSON string, so that a cell that nobody changed is read as it was written.
 */
export function renderProducts(productIds: readonly string[]): string {
  return productIds.map((name) => (/[\s;]|^"|^$/.test(name) ? JSON.stringify(name) : name)).join(' ');
}

/** Reads IDs that are separated by blanks or semicolons. Undefined where quotes are not closed. */
export function parseProducts(cell: string): string[] | undefined {
  const words = cell.match(/"(?:[^"\\]|\\.)*"(?![^\s;])|[^\s;]+/g) ?? [];
  try {
    return words.map((word) => (word.startsWith('"') ? (JSON.parse(word) as string) : word));
  } catch {
    return undefined;
  }
}
