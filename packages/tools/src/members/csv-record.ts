/** The fault of a record that is not RFC 4180. */
export type CsvFault = 'a quote inside a cell' | 'text after a closing quote' | 'a quoted cell that is never closed';

/** The cells of a record, `open` while its last cell is quoted and goes on in the next line, or a fault. */
export type CsvOutcome = readonly string[] | 'open' | { readonly fault: CsvFault };

const QUOTE = '"';
/** A cell, quoted or not, and what ends it: a comma, the end of the record, or text that must not be there. */
const CELL = /(?:"([^"]*(?:""[^"]*)*)"(?!")|([^",]*))(,|$|)/y;

/** Reads the text of one record of a CSV file (RFC 4180); `isContinued` is true when it has several lines. */
export function readRecord(text: string, isContinued: boolean): CsvOutcome {
  // Most records have no quote, and the platform splits them faster.
  if (!text.includes(QUOTE)) return text.split(',');
  const cells: string[] = [];
  CELL.lastIndex = 0;
  for (;;) {
    const isQuoted = text[CELL.lastIndex] === QUOTE;
    const [, quoted, plain, end] = CELL.exec(text)!;
    if (isQuoted && quoted === undefined) return 'open';
    if (end === '' && CELL.lastIndex < text.length) {
      if (!isQuoted) return { fault: 'a quote inside a cell' };
      return { fault: isContinued ? 'a quoted cell that is never closed' : 'text after a closing quote' };
    }
    cells.push(quoted?.replaceAll('""', QUOTE) ?? plain!);
    if (end === '') return cells;
  }
}
