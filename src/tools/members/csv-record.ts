/** The fault of a record that is not RFC 4180. */
export type CsvFault = 'a quote inside a cell' | 'text after a closing quote' | 'a quoted cell that is never closed';

/** After a line: the record's cells, `open` while a quoted cell goes on in the next line, or a fault. */
export type CsvOutcome = readonly string[] | 'open' | { readonly fault: CsvFault };

const QUOTE = '"';
const COMMA = ',';

/** One record of a CSV file (RFC 4180), read line by line. */
export class CsvRecord {
  readonly #cells: string[] = [];
  /** The content of a quoted cell so far; undefined outside of one. */
  #open: string | undefined;

  /** Takes the next line. `lineBreak` is the break before it, which belongs to the cell that is open. */
  take(line: string, lineBreak: string): CsvOutcome {
    const isContinued = this.#open !== undefined;
    // Most lines have no quote, and the platform splits them faster.
    if (!isContinued && !line.includes(QUOTE)) return line.split(COMMA);
    let at = 0;
    if (this.#open !== undefined) this.#open += lineBreak;
    else at = this.#openAt(line, 0);
    for (;;) {
      if (this.#open === undefined) {
        const end = endOf(line, line.indexOf(COMMA, at));
        const cell = line.slice(at, end);
        if (cell.includes(QUOTE)) return { fault: 'a quote inside a cell' };
        this.#cells.push(cell);
        at = end;
      } else {
        const end = closingQuote(line, at);
        this.#open += line.slice(at, endOf(line, end)).replaceAll('""', QUOTE);
        if (end < 0) return 'open';
        at = end + 1;
        if (at < line.length && line[at] !== COMMA) {
          return { fault: isContinued ? 'a quoted cell that is never closed' : 'text after a closing quote' };
        }
        this.#cells.push(this.#open);
        this.#open = undefined;
      }
      if (at === line.length) return this.#cells;
      at = this.#openAt(line, at + 1);
    }
  }

  /** Begins a cell. Returns where its content begins. */
  #openAt(line: string, at: number): number {
    if (line[at] !== QUOTE) return at;
    this.#open = '';
    return at + 1;
  }
}

/** The place of the quote that ends a cell; doubled quotes are content. Returns -1 when the line has none. */
function closingQuote(line: string, from: number): number {
  let at = line.indexOf(QUOTE, from);
  while (at >= 0 && line[at + 1] === QUOTE) at = line.indexOf(QUOTE, at + 2);
  return at;
}

function endOf(line: string, found: number): number {
  return found < 0 ? line.length : found;
}
