import { formatCount } from '../terminal/money.ts';
import { renderTable } from '../terminal/table.ts';
import { renderExamples } from './examples.ts';
import { type DoneRow, type GrantOrder, ROW_OUTCOMES, type RowOutcome } from './grant-order.ts';

const OUTCOMES = Object.keys(ROW_OUTCOMES) as RowOutcome[];
/** The outcomes that the report counts even where no row has them. */
const ALWAYS: Readonly<Record<GrantOrder['kind'], readonly RowOutcome[]>> = {
  grant: ['given', 'had', 'unknown'],
  revoke: ['taken', 'had none', 'unknown'],
};
const SECOND: Readonly<Partial<Record<RowOutcome, RowOutcome>>> = { given: 'had', changed: 'had', taken: 'had none' };

/** What a dry run says of rows that would change a member. */
const IN_DRY_RUN: Readonly<Partial<Record<RowOutcome, string>>> = {
  given: 'would get it',
  changed: 'have it with another quantity or dates, which would be changed',
  taken: 'have it, and would no longer',
};

/** What became of the rows of a list. */
export class OrderTally {
  /** In memory: a list of a million members is 200 MB. */
  readonly rows: DoneRow[] = [];
  readonly #isDryRun: boolean;
  readonly #lines = new Map<string, number>();
  readonly #repeated: string[] = [];

  constructor(isDryRun: boolean) {
    this.#isDryRun = isDryRun;
  }

  add(row: DoneRow): void {
    const first = this.#lines.get(row.loyaltyId);
    // A dry run writes nothing, so that the second row of a member looks like the first.
    const second = this.#isDryRun && first !== undefined ? SECOND[row.outcome] : undefined;
    this.rows.push(second === undefined ? row : { ...row, outcome: second });
    if (first === undefined) this.#lines.set(row.loyaltyId, row.line);
    else if (row.loyaltyId !== '') {
      this.#repeated.push(
        `line ${row.line}, loyaltyId: ${JSON.stringify(row.loyaltyId)}, which is also in line ${first}`,
      );
    }
  }

  /** How many rows had each outcome, and how many members have used the grant already. */
  get counts(): Readonly<Record<string, number>> {
    const outcomes = OUTCOMES.map((outcome) => [outcome, this.#having(outcome).length] as const);
    const used = this.#distinct((row) => row.used > 0).length;
    return { ...Object.fromEntries(outcomes.filter(([, count]) => count > 0)), used };
  }

  render(kind: GrantOrder['kind']): string {
    const shown = OUTCOMES.filter((outcome) => ALWAYS[kind].includes(outcome) || this.#having(outcome).length > 0);
    const words: Readonly<Record<RowOutcome, string>> = { ...ROW_OUTCOMES, ...(this.#isDryRun && IN_DRY_RUN) };
    const rows = shown.map((outcome) => [words[outcome], formatCount(this.#having(outcome).length)]);
    const used = this.#distinct((row) => row.used > 0);
    const held = this.#distinct((row) => row.held > 0);
    rows.push(['have used it already', formatCount(used.length)]);
    if (held.length > 0) rows.push(['have it in an open basket', formatCount(held.length)]);
    const name = ({ line, loyaltyId }: DoneRow) => `line ${line}, loyaltyId: ${JSON.stringify(loyaltyId)}`;
    return [
      renderTable(['members', 'count'], rows),
      renderExamples('unknown members', this.#having('unknown').map(name)),
      renderExamples('in the configuration file', this.#having('in the file').map(name)),
      renderExamples(
        'rejected',
        this.#having('rejected').map(({ line, words }) => `line ${line}, ${words}`),
      ),
      renderExamples(
        'have used it already',
        used.map((row) => `${name(row)}, ${row.used === 1 ? 'once' : `${row.used} times`}`),
      ),
      renderExamples(
        'can give nothing now',
        this.rows
          .filter(({ outcome, words }) => outcome !== 'rejected' && words !== undefined)
          .map((row) => `${name(row)}: ${row.words}`),
      ),
      renderExamples('one ID in several rows', this.#repeated),
    ].join('');
  }

  /** Every row as CSV, for a spreadsheet. */
  renderTable(): string {
    const lines = this.rows.map(({ line, loyaltyId, outcome, used, held, words = '' }) =>
      [line, cellOf(loyaltyId), outcome, used, held, cellOf(words)].join(','),
    );
    return ['line,loyaltyId,outcome,used,held,words', ...lines, ''].join('\n');
  }

  #having(wanted: RowOutcome): DoneRow[] {
    return this.rows.filter(({ outcome }) => outcome === wanted);
  }

  /** The rows that fit, one of each member. */
  #distinct(fits: (row: DoneRow) => boolean): DoneRow[] {
    return [...new Map(this.rows.filter(fits).map((row) => [row.loyaltyId, row])).values()];
  }
}

function cellOf(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
