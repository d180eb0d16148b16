import { readAskedPeriod } from '../asked-period.ts';
import { readCommonLimits } from '../common-limit-states.ts';
import { type AdminRoute, answered } from './route.ts';

export const PERIOD_WORDS =
  'A period whose limits are meant: `2026-10`, `2026-10-31`, `2026-W44` or `2026`, until `calculation.retentionDays` after its end. Without it, the periods that are running.';

export const readCommonLimitsRoute: AdminRoute = {
  method: 'GET',
  path: '/admin/limits',
  role: 'read',
  operationId: 'readLimits',
  summary: 'What is left of the limits over all members',
  description:
    'Every limit with `of: programme` or `of: venue`, in the period that is running now at its venues: `quantity` of the configuration in force, `consumed` by sales, `held` by open calculations, and `left`. `runsOutOn` is the day on which nothing is left if it goes on at the pace since the first unit of the period; it is absent where that is not within the period, after the end of the campaign (`endsOn`), or more than three years ahead. The quantity can be changed by a reload while the limit is running. Units are baskets, items, or minor units of `currency`. With `period` it is an earlier period of the same limits, by the configuration in force; the days of a month or a week, and the months of a year, are listed where something was used.',
  query: { period: PERIOD_WORDS },
  answerSchema: 'CommonLimits',
  failures: { invalid: 'No period, or one whose counters are no longer kept.' },
  async handle(administration, { query }) {
    const { store, environment } = administration.current();
    const asked = readAskedPeriod(query.get('period'), store.periods.retentionMs, Date.now());
    return answered({ limits: await readCommonLimits(store, environment, asked) });
  },
};
