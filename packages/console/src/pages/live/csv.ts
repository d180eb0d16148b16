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
