import { renderCsvCell } from '@loyalty/contract/csv-cell';
import { formatCount } from '../terminal/money.ts';
import { renderTable } from '../terminal/table.ts';
import { renderExamples } from './examples.ts';
import type { DoneRow, GrantOrder, RowOutcome } from './grant-order.ts';

interface OutcomeWords {
  readonly words: string;
  /** What a dry run says of rows that would change a member. */
  readonly inDryRun?: string;
  /** The kinds of orders that count it even where no row has it. */
  readonly always?: readonly GrantOrder['kind'][];
  /** What becomes of a second row of the member. A dry run writes nothing, so that it looks like the first. */
  readonly second?: RowOutcome;
  /** True where a row was not done. */
  readonly isLeftOut?: true;
}

/** What became of rows, in the order of the report. */
const OUTCOMES: Readonly<Record<RowOutcome, OutcomeWords>> = {
  given: { words: 'got it', inDryRun: 'would get it', always: ['grant'], second: 'had' },
  changed: {
    words: 'had it with another quantity or dates, which were changed',
    inDryRun: 'have it with another quantity or dates, which would be changed',
    second: 'had',
  },
  had: { words: 'had it already', always: ['grant'] },
  taken: {
    words: 'had it, and no longer do',
    inDryRun: 'have it, and would no longer',
    always: ['revoke'],
    second: 'had none',
  },
  'had none': { words: 'did not have it', always: ['revoke'] },
  unknown: { words: 'unknown members', always: ['grant', 'revoke'], isLeftOut: true },
  'in the file': { words: 'in the configuration file, and changed only there', isLeftOut: true },
  rejected: { words: 'rejected rows', isLeftOut: true },
};

/** What became of the rows of a list. */
export class OrderTally {
  /** In memory: a list of a million members is 200 MB. */
  readonly #rows: DoneRow[] = [];
  readonly #isDryRun: boolean;
  readonly #lines = new Map<string, number>();
  readonly #repeated: string[] = [];

  constructor(isDryRun: boolean) {
    this.#isDryRun = isDryRun;
  }

  get isEmpty(): boolean {
    return this.#rows.length === 0;
  }

  /** True where every row was done. */
  get isDone(): boolean {
    return !this.#rows.some(({ outcome }) => OUTCOMES[outcome].isLeftOut);
  }

  add(row: DoneRow): void {
    const first = this.#lines.get(row.loyaltyId);
    const second = this.#isDryRun && first !== undefined ? OUTCOMES[row.outcome].second : undefined;
    this.#rows.push({ ...row, outcome: second ?? row.outcome });
    if (first === undefined) this.#lines.set(row.loyaltyId, row.line);
    else if (row.loyaltyId !== '') this.#repeated.push(`${nameOf(row)}, which is also in line ${first}`);
  }

  /** How many rows had each outcome, and how many members have used the grant already. */
  get counts(): Readonly<Record<string, number>> {
    const byOutcome = [...Map.groupBy(this.#rows, ({ outcome }) => outcome)];
    const counts = Object.fromEntries(byOutcome.map(([name, rows]) => [name, rows.length]));
    return { ...counts, used: this.#members((row) => row.used > 0).length };
  }

  render(kind: GrantOrder['kind']): string {
    const having = (wanted: string) => this.#rows.filter(({ outcome }) => outcome === wanted);
    const counts = Object.entries(OUTCOMES).flatMap(([outcome, { words, inDryRun = words, always = [] }]) => {
      const { length } = having(outcome);
      if (length === 0 && !always.includes(kind)) return [];
      return [[this.#isDryRun ? inDryRun : words, formatCount(length)]];
    });
    const used = this.#members((row) => row.used > 0);
    const held = this.#members((row) => row.held > 0);
    counts.push(['have used it already', formatCount(used.length)]);
    if (held.length > 0) counts.push(['have it in an open basket', formatCount(held.length)]);
    const rejected = having('rejected').map(({ line, words }) => `line ${line}, ${words}`);
    const uses = used.map((row) => `${nameOf(row)}, ${row.used === 1 ? 'once' : `${row.used} times`}`);
    const spent = this.#rows.filter(({ outcome, words }) => outcome !== 'rejected' && words !== undefined);
    return [
      renderTable(['members', 'count'], counts),
      renderExamples('unknown members', having('unknown').map(nameOf)),
      renderExamples('in the configuration file', having('in the file').map(nameOf)),
      renderExamples('rejected', rejected),
      renderExamples('have used it already', uses),
      renderExamples(
        'can give nothing now',
        spent.map((row) => `${nameOf(row)}: ${row.words}`),
      ),
      renderExamples('one ID in several rows', this.#repeated),
    ].join('');
  }

  /** Every row as CSV, for a spreadsheet. */
  renderCsv(): string {
    const lines = this.#rows.map(({ line, loyaltyId, outcome, used, held, words = '' }) =>
      [line, renderCsvCell(loyaltyId), outcome, used, held, renderCsvCell(words)].join(','),
    );
    return ['line,loyaltyId,outcome,used,held,words', ...lines, ''].join('\n');
  }

  /** The rows that fit, one of each member. */
  #members(fits: (row: DoneRow) => boolean): DoneRow[] {
    return [...new Map(this.#rows.filter(fits).map((row) => [row.loyaltyId, row])).values()];
  }
}

function nameOf({ line, loyaltyId }: DoneRow): string {
  return `line ${line}, loyaltyId: ${JSON.stringify(loyaltyId)}`;
}
