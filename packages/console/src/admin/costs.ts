import { todayOf } from '../days.ts';
import { DIMENSIONS, READINGS, readQuestion } from './cost-question.ts';
import { type CostReport, reportCosts } from './cost-report.ts';
import { renderCsv, wantsCsv } from './csv.ts';
import { type AdminRoute, answered, refused } from './route.ts';

/** What benefits cost over time, for whoever decides about them. */

const NAMES = {
  day: ['day'],
  venue: ['venueId'],
  benefit: ['programmeId', 'benefitId'],
  fundedBy: ['fundedBy'],
  tier: ['tier'],
  share: ['share'],
};
const BEFORE = ['soldBaskets', 'units', 'saved', 'turnover'] as const;
const FIGURES = [
  'currency',
  ...BEFORE,
  'allBaskets',
  'allTurnover',
  'allUndoneTurnover',
  'undoneBaskets',
  'undoneSaved',
  'undoneTurnover',
  'undoneUnits',
  'refunded',
  'conflicts',
];

export const readCostsRoute: AdminRoute = {
  method: 'GET',
  path: '/admin/costs',
  role: 'read',
  operationId: 'readCosts',
  summary: 'What benefits cost, and what was sold beside it',
  description:
    'Sums of sold baskets of all processes and machines, for 400 days. By the day of their calculation at the venue, or with `on=booking` by the day on which the sale, the late event, the return or the decision was booked, so that a month that is over does not change any more. `soldBaskets` are those in which the benefit (without `benefit` in `by`: any benefit) applied, `units` the discounted units, `saved` what members saved, `turnover` what they paid in those baskets; `allBaskets` and `allTurnover` are of every sold basket of a member there, with or without a benefit. `refunded` is what returns refunded, also of sales that were reported as `failed`, and `conflicts` the sales of which a second outcome was reported: of all baskets, or of those of the benefit or funder where these are told apart; then baskets without a benefit have a row of their own if they have any. `before` is the same in as many days before, where all of them are kept and `by` has no `day`. By the day of calculation every benefit, venue and tier of the configuration has a row, of zero where nobody used it. Sales that a return or a decision took back stay among the sold and are counted beside them. With `Accept: text/csv` the rows are CSV, each with `isMerged`. Amounts are minor units.',
  query: {
    from: 'The first day, `2026-11-01`; without it 30 days up to `to`.',
    to: 'The last day; without it today at the venues.',
    by: `Any of ${DIMENSIONS.join(', ')}, with commas: what the rows are told apart by. Without it benefit.`,
    on: `${READINGS.join(' or ')}: whose day counts. Without it calculation.`,
  },
  answerSchema: 'Costs',
  hasCsv: true,
  failures: {
    invalid:
      'A day that is none or is not kept any more, more than 400 days, an unknown name in `by` or `on`, or more than 50,000 rows.',
  },
  async handle(administration, { query, accept }) {
    const { store, environment } = administration.current();
    const today = todayOf(environment);
    const question = readQuestion(query, today);
    const report = await reportCosts(store, environment, question, today);
    if (!report)
      return refused('invalid', 'by: these days have more than 50,000 rows; ask for fewer days, or fewer names in by');
    const { from, to, by, on } = question;
    const audit = { from, to, by: by.join(), on };
    if (!wantsCsv(accept)) return answered(report, { audit });
    const names = by.flatMap((name) => NAMES[name]);
    return answered(undefined, { audit, csv: toCsv(report, names) });
  },
};

/** A file has rows alone, so each says what JSON says once. */
function toCsv({ rows, before, isMerged }: CostReport, names: readonly string[]): string {
  const columns = [...names, ...FIGURES, ...(before ? BEFORE.map((figure) => `${figure}Before`) : []), 'isMerged'];
  const flat = rows.map(({ before: earlier, ...row }) => ({
    ...row,
    ...(earlier && Object.fromEntries(BEFORE.map((figure) => [`${figure}Before`, earlier[figure]]))),
    isMerged,
  }));
  return renderCsv(columns, flat);
}
