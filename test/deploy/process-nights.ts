/** The nights of the alerts about readiness, and about several processes. */
import { of, once, type Pair, type Series, value } from './night-series.ts';

/** Two processes: how many serve, whether they are ready together, and whether each that reports has Redis. */
const two = (serving: number, isReady: boolean, hasRedis?: boolean): Series => ({
  ...value('loyalty_processes_expected', 2),
  ...value('loyalty_processes_serving', serving),
  ...value('loyalty_ready', Number(isReady)),
  ...(hasRedis !== undefined && {
    ...value('loyalty_redis_up', Number(hasRedis)),
    ...value('loyalty_redis_master_up', Number(hasRedis), 'server="only"'),
    ...value('loyalty_redis_unreachable', Number(!hasRedis), 'cause="unreachable"'),
  }),
});

export const PROCESS_PAIRS: Readonly<Record<string, Pair>> = {
  LoyaltyNotReady: {
    fires: ['readiness is red', value('loyalty_ready', 0)],
    silent: ['readiness was red for one look', { [of('loyalty_ready')]: '1x18 0 1x600' }],
    more: [
      ['no process serves, so that none has figures', two(0, false), ['LoyaltyNotReady']],
      ['Redis is away for both of two', two(0, false, false), ['LoyaltyNotReady', 'LoyaltyRedisDown']],
    ],
  },
  LoyaltyProcessHung: {
    fires: ['one', once('loyalty_processes_hung_total')],
    silent: ['none', { ...value('loyalty_processes_hung_total', 0), ...value('loyalty_processes_silent', 0) }],
  },
  LoyaltyProcessesMissing: {
    fires: ['one of two has ended', two(1, true, true)],
    silent: ['both serve', two(2, true, true)],
    more: [['one of two has no Redis', two(1, true, false), ['LoyaltyProcessesMissing']]],
  },
  LoyaltyProcessEnded: {
    fires: ['one', once('loyalty_processes_ended_total')],
    silent: ['none', value('loyalty_processes_ended_total', 0)],
  },
};
