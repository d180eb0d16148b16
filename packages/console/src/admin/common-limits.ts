import { readCommonLimits } from '../common-limit-states.ts';
import { type AdminRoute, answered } from './route.ts';

export const readCommonLimitsRoute: AdminRoute = {
  method: 'GET',
  path: '/admin/limits',
  role: 'read',
  operationId: 'readLimits',
  summary: 'What is left of the limits over all members',
  description:
    'Every limit with `of: programme` or `of: venue`, in the period that is running now at its venues: `quantity` of the configuration in force, `consumed` by sales, `held` by open calculations, and `left`. `runsOutOn` is the day on which nothing is left if it goes on at the pace since the first unit of the period; it is absent where that is not within the period, after the end of the campaign (`endsOn`), or more than three years ahead. The quantity can be changed by a reload while the limit is running. Units are baskets, items, or minor units of `currency`.',
  answerSchema: 'CommonLimits',
  async handle(administration) {
    const { store, environment } = administration.current();
    return answered({ limits: await readCommonLimits(store, environment) });
  },
};
