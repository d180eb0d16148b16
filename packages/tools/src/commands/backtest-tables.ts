import {
  type BenefitSums,
  type CountedFate,
  type Difference,
  type Sums,
  splitKey,
  type Tally,
} from '../backtest/tally.ts';
import { formatCount as count, formatSum } from '../terminal/money.ts';
import { type Cell, renderTable } from '../terminal/table.ts';

/**
 * Renders a rehearsal for people. A cost is the guests' savings, so a change of cost above 0 means that the draft costs
 * more.
 */

export interface Report {
  readonly tally: Tally;
  readonly malformedLines: number;
  /** File and version of each programme. */
  readonly current: string;
  readonly draft: string;
}

const MAX_DAYS = 62;

/** Renders the whole report as text: the input and the assumptions, then the tables. */
export function renderReport(report: Report): string {
  const { benefits, venues, days, shares, members, most } = report.tally;
  return [
    renderHeader(report),
    section('Cost per benefit', renderBenefits(benefits)),
    section('Cost per venue', renderSums('venue', sorted(venues))),
    section('Cost per day, in the time zone of the venue', renderDays(days)),
    ...(shares.size > 0 ? [section('Cost per share of members', renderSums('share', sorted(shares)))] : []),
    section('Members of the recording, over their sales that differ', renderMembers(members)),
    section('Sales that differ most', renderMost(most)),
  ].join('\n');
}

function section(title: string, table: string): string {
  return `${title}\n\n${table}`;
}

function tableOrNone(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return rows.length === 0 ? 'none\n' : renderTable(header, rows);
}

function renderHeader({ tally, malformedLines, current, draft }: Report): string {
  const { counts, fates, unpriced } = tally;
  const baskets = Object.values(fates).reduce((sum, each) => sum + each, 0);
  const lines = [
    `Draft      ${draft}`,
    `Against    ${current}`,
    `Baskets    ${count(baskets)} in the input${describeFates(fates)}`,
    `Sales      ${count(counts.priced)} priced by both, ${count(counts.differing)} of them differ`,
    ...[...unpriced].map(([reason, times]) => `           ${count(times)} could not be priced (${reason})`),
  ];
  if (malformedLines > 0) lines.push(`           ${count(malformedLines)} lines could not be read (malformed.ndjson)`);
  const scale = describeScale(tally);
  if (scale !== undefined) lines.push(`Scaled     ${scale}`);
  lines.push(
    'Supposed   each basket is priced alone: what the draft would use up is not missing from later baskets',
    '           used units of limited benefits are those recorded, also where the draft changes the limit',
  );
  const suppose = (times: number, words: string): void => {
    if (times > 0) lines.push(`           ${words} (${count(times)} baskets)`);
  };
  suppose(fates.supposed, 'each is a sale: its outcome was not recorded');
  suppose(counts.assumedMember, 'the member is unknown: an active member without tier or grants is assumed');
  suppose(counts.assumedAvailability, 'limited benefits are fully available: plain baskets have no uses');
  if (counts.answeredOtherwise > 0) {
    const times = count(counts.answeredOtherwise);
    lines.push(`Note       ${times} were answered with another total: another configuration was in force then`);
  }
  return `${lines.join('\n')}\n`;
}

const FATE_WORDS: readonly (readonly [CountedFate, string])[] = [
  ['sold', 'sold'],
  ['superseded', 'superseded by a later basket'],
  ['cancelled', 'given up'],
  ['failed', 'sold without their answer'],
  ['unsold', 'without a sale event'],
];

/** How the baskets ended; only those that were sold count. */
function describeFates(fates: Tally['fates']): string {
  const told = FATE_WORDS.filter(([fate]) => fates[fate] > 0).map(([fate, words]) => `${count(fates[fate])} ${words}`);
  return told.length === 0 ? '' : `: ${told.join(', ')}`;
}

/** What a recorded sale stands for; undefined where everything was recorded. */
function describeScale({ samples }: Tally): string | undefined {
  const scaleOf = (sample: number) => (1 / sample).toLocaleString('en', { maximumFractionDigits: 2 });
  const told = [...samples]
    .filter(([sample]) => sample < 1)
    .map(([sample, sales]) => `${count(sales)} of a sample of ${sample} × ${scaleOf(sample)}`);
  if (told.length === 0) return undefined;
  return `sums of benefits, venues and days are extrapolated to all sales (${told.join(', ')}): an estimate`;
}

function renderBenefits(benefits: ReadonlyMap<string, BenefitSums>): string {
  const rows = sorted(benefits).map(([key, sums]): Cell[] => {
    const { name, currency } = splitKey(key);
    const { currentSales, currentUnits, current, draftSales, draftUnits, draft } = sums;
    const now = [count(currentSales), count(currentUnits), formatSum(current, currency)];
    const then = [count(draftSales), count(draftUnits), formatSum(draft, currency)];
    return [name, currency, ...now, ...then, formatSum(draft - current, currency)];
  });
  const now = ['sales now', 'units now', 'cost now'];
  const then = ['sales with draft', 'units with draft', 'cost with draft'];
  return tableOrNone(['benefit', 'currency', ...now, ...then, 'change'], rows);
}

/** The costs of each benefit on each day as CSV, for a spreadsheet; money in minor units. */
export function renderBenefitDays({ benefitDays }: Tally): string {
  const head = 'day,benefit,currency,sales now,units now,saved now,sales with draft,units with draft,saved with draft';
  const rows = [...benefitDays].map(([key, sums]) => {
    const { name, currency } = splitKey(key);
    const { currentSales, currentUnits, current, draftSales, draftUnits, draft } = sums;
    const figures = [currentSales, currentUnits, current, draftSales, draftUnits, draft].map(Math.round);
    return [...name.split(' '), currency, ...figures].join(',');
  });
  return [head, ...rows.sort()].map((row) => `${row}\n`).join('');
}

/** The last days, each in all its currencies. */
function renderDays(sums: Tally['days']): string {
  const rows = Map.groupBy(sorted(sums), ([key]) => splitKey(key).name);
  const days = [...rows.keys()].sort();
  const last = days.slice(-MAX_DAYS);
  const left = days.length > last.length ? `(the last ${last.length} of ${days.length} days)\n` : '';
  return `${left}${renderSums(
    'day',
    last.flatMap((day) => rows.get(day)!),
  )}`;
}

/** The cost is before − after. Staff discounts that the benefits replaced reduce it. */
function renderSums(title: string, sums: readonly (readonly [string, Sums])[]): string {
  const rows = sums.map(([key, { sales, before, current, draft }]): Cell[] => {
    const { name, currency } = splitKey(key);
    const amounts = [before, before - current, before - draft, current - draft];
    return [name, currency, count(sales), ...amounts.map((amount) => formatSum(amount, currency))];
  });
  return tableOrNone([title, 'currency', 'sales', 'before benefits', 'cost now', 'cost with draft', 'change'], rows);
}

function renderMembers(members: ReadonlyMap<string, number>): string {
  const changes = Map.groupBy(members, ([key]) => splitKey(key).currency);
  const rows = [...changes].flatMap(([currency, all]): Cell[][] =>
    [
      { words: 'pay less', own: all.filter(([, change]) => change < 0) },
      { words: 'pay more', own: all.filter(([, change]) => change > 0) },
      { words: 'pay the same, with other benefits', own: all.filter(([, change]) => change === 0) },
    ].map(({ words, own }) => {
      const together = own.reduce((sum, [, change]) => sum + Math.abs(change), 0);
      return [words, currency, count(own.length), formatSum(together, currency)];
    }),
  );
  return tableOrNone(['members who', 'currency', 'members', 'together'], rows);
}

function renderMost(most: readonly Difference[]): string {
  const rows = most.map(({ line, venueId, day, currency, before, current, draft, change }): Cell[] => {
    const amounts = [before, current.total, draft.total, change].map((amount) => formatSum(amount, currency));
    const benefits = [current, draft].map(({ saved }) => Object.keys(saved).join(' '));
    return [line, day, venueId, currency, ...amounts, ...benefits];
  });
  const amounts = ['before benefits', 'pays now', 'pays with draft', 'more or less'];
  return tableOrNone(['line', 'day', 'venue', 'currency', ...amounts, 'benefits now', 'benefits with draft'], rows);
}

function sorted<Row>(rows: ReadonlyMap<string, Row>): [string, Row][] {
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1));
}
