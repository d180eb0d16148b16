import { formatDate, parseDate } from '@loyalty/engine/compile/calendar';
import { startOfDay, todayOf } from '../days.ts';
import { renderCsv, wantsCsv } from './csv.ts';
import { notAllowed, readNames } from './invalid-request.ts';
import { type AdminRoute, answered } from './route.ts';
import { FATES, reportVouchers, VOUCHER_DIMENSIONS, type VoucherDimension, type VoucherRow } from './voucher-report.ts';

/** What became of the vouchers that members were given, for whoever closes the books. */

export const readVouchersRoute: AdminRoute = {
  method: 'GET',
  path: '/admin/vouchers',
  role: 'read',
  operationId: 'readVouchers',
  summary: 'Vouchers: given, used, revoked, ended, outstanding',
  description:
    'Of all grants with a `quantity`, which counts baskets, as of the end of a day: how many were given, and what became of them. A day is one at the first venue of the programme, and an entry belongs to the day on which it was booked; so a day that is over stays as it was. With `month` in `by` the rows are told apart by the month in which a voucher was given. Vouchers of erased members are kept without the member. All keys are searched, which takes seconds where there are many. With `Accept: text/csv` the rows are CSV.',
  query: {
    asOf: 'A day, `2026-10-31`; without it today.',
    by: `Any of ${VOUCHER_DIMENSIONS.join(', ')}, with commas; without it benefit.`,
  },
  answerSchema: 'Vouchers',
  hasCsv: true,
  failures: { invalid: 'A day that is none or is still to come, or an unknown name in `by`.' },
  async handle(administration, { query, accept }) {
    const { store, environment } = administration.current();
    const today = todayOf(environment);
    const asOf = query.get('asOf') ?? today;
    const day = parseDate(asOf);
    if (day === undefined || asOf > today) {
      throw notAllowed('asOf', asOf, `a day up to ${today}`);
    }
    const by = readNames(query, 'by', VOUCHER_DIMENSIONS, 'benefit');
    const now = Date.now();
    const endMsOf = (timeZone: string) => Math.min(now, startOfDay(formatDate(day + 1), timeZone) ?? now);
    const rows = await reportVouchers(store, environment, { by, endMsOf });
    const audit = { to: asOf, by: by.join() };
    if (!wantsCsv(accept)) return answered({ asOf, rows }, { audit });
    return answered(undefined, { audit, csv: toCsv(rows, by) });
  },
};

/** The money is in columns of its own for each currency: `outstandingNOK`. */
function toCsv(rows: readonly VoucherRow[], by: readonly VoucherDimension[]): string {
  const currencies = [...new Set(rows.flatMap(({ amounts }) => Object.keys(amounts)))].sort();
  const inMoney = currencies.flatMap((currency) => FATES.map((figure) => [currency, figure] as const));
  const columns = [
    ...(by.includes('month') ? ['month'] : []),
    ...(by.includes('benefit') ? ['programmeId', 'benefitId'] : []),
    ...[...FATES, 'overRedeemed', ...inMoney.map(([currency, figure]) => `${figure}${currency}`)],
  ];
  const flat = rows.map(({ amounts, ...row }) => ({
    ...row,
    ...Object.fromEntries(
      inMoney.map(([currency, figure]) => [`${figure}${currency}`, amounts[currency]?.[figure] ?? '']),
    ),
  }));
  return renderCsv(columns, flat);
}
