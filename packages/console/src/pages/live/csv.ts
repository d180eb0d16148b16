/** Tables as CSV, which spreadsheets read and write: commas, semicolons or tabs, quotes around cells that need them. */

/** Returns the rows that are not empty. */
export function parseCsv(text: string): string[][] {
  const plain = text.replace(/^\uFEFF/, '');
  const head = plain.split(/\r?\n/, 1)[0] ?? '';
  const separator = [',', ';', '\t'].reduce((best, each) =>
    head.split(each).length > head.split(best).length ? each : best,
  );
  const rows = [['']];
  let isQuoted = false;
  for (let at = 0; at < plain.length; at += 1) {
    const letter = plain.charAt(at);
    const row = rows.at(-1) as string[];
    const last = row.length - 1;
    if (isQuoted && letter === '"' && plain[at + 1] === '"') at += 1;
    else if (letter === '"' && (isQuoted || row[last] === '')) {
      isQuoted = !isQuoted;
      continue;
    }
    if (isQuoted) row[last] += letter;
    else if (letter === separator) row.push('');
    else if (letter === '\n') rows.push(['']);
    else if (letter !== '\r') row[last] += letter;
  }
  return rows.filter((row) => row.some((cell) => cell !== ''));
}

export function renderCsv(rows: readonly (readonly string[])[]) {
  return rows.map((row) => `${row.map(renderCell).join(',')}\r\n`).join('');
}

function renderCell(text: string) {
  return /[",\r\n;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

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
