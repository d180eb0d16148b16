/** The nights of the alerts about Redis. */
import { of, once, type Pair, type Series, value } from './night-series.ts';

const REDIS_MEMORY = 'loyalty_redis_memory_used_bytes';
const FULL = 'cause="out_of_memory"';
const masters = (third: number): Series => ({
  ...value('loyalty_redis_master_up', 1, 'server="10.0.0.1:6379"'),
  ...value('loyalty_redis_master_up', 1, 'server="10.0.0.2:6379"'),
  ...value('loyalty_redis_master_up', third, 'server="10.0.0.3:6379"'),
});

export const REDIS_PAIRS: Readonly<Record<string, Pair>> = {
  LoyaltyRedisDown: {
    fires: ['Redis is gone', value('loyalty_redis_up', 0)],
    silent: ['Redis was gone for one look', { [of('loyalty_redis_up')]: '1x18 0 1x600' }],
  },
  LoyaltyRedisRefuses: {
    fires: ['Redis is full', { ...value('loyalty_redis_unreachable', 1, FULL), ...value('loyalty_redis_up', 1) }],
    silent: [
      'Redis was full for one look',
      { [of('loyalty_redis_unreachable', FULL)]: '0x18 1 0x600', ...value('loyalty_redis_up', 1) },
    ],
  },
  LoyaltyRedisMasterAway: {
    fires: ['one of three masters is away', { ...masters(0), ...value('loyalty_ready', 1) }],
    silent: ['all of them serve', { ...masters(1), ...value('loyalty_ready', 1) }],
  },
  LoyaltyDataGone: {
    fires: ['Redis came back empty', value('loyalty_redis_data_gone', 1)],
    silent: ['the data is there', value('loyalty_redis_data_gone', 0)],
  },
  LoyaltyRedisUnsteady: {
    fires: ['five times in a quarter of an hour', once('loyalty_redis_breaker_openings_total', '', 5)],
    silent: ['once', once('loyalty_redis_breaker_openings_total')],
  },
  LoyaltyRedisMemory: {
    fires: ['nine tenths are used', { ...value(REDIS_MEMORY, 90), ...value('loyalty_redis_memory_limit_bytes', 100) }],
    silent: ['three quarters', { ...value(REDIS_MEMORY, 75), ...value('loyalty_redis_memory_limit_bytes', 100) }],
  },
  LoyaltyRedisSettingWrong: {
    fires: ['keys are evicted', value('loyalty_redis_setting', 1, 'setting="maxmemory-policy",state="wrong"')],
    silent: ['for one look', { [of('loyalty_redis_setting', 'setting="appendonly",state="wrong"')]: '0x18 1 0x600' }],
  },
  LoyaltyRedisSettingWeak: {
    fires: ['appendfsync is everysec', value('loyalty_redis_setting', 1, 'setting="appendfsync",state="weak"')],
    silent: [
      'it is not shown',
      {
        ...value('loyalty_redis_setting', 1, 'setting="appendfsync",state="unknown"'),
        ...value('loyalty_redis_setting', 0, 'setting="appendfsync",state="weak"'),
      },
    ],
  },
  LoyaltyRedisEvicted: {
    fires: ['one key', once('loyalty_redis_evicted_keys')],
    silent: ['none', value('loyalty_redis_evicted_keys', 0)],
  },
  LoyaltyRedisFileNotWritten: {
    fires: ['an append failed', value('loyalty_redis_file_written', 0)],
    silent: ['none did', value('loyalty_redis_file_written', 1)],
  },
  LoyaltyRedisFileNotRewritten: {
    fires: ['a rewrite failed', value('loyalty_redis_file_rewritten', 0)],
    silent: ['none did', value('loyalty_redis_file_rewritten', 1)],
  },
};
