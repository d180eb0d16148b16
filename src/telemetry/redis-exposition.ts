import type { Metrics } from './metric-kinds.ts';
import type { RedisFigures } from './redis-figures.ts';

/** The state of Redis as the process sees it. */
export interface ScrapedRedis {
  readonly isRedisUp: boolean;
  /** The cause why Redis cannot be used, one of `redisCauses`. */
  readonly redisCause: string | undefined;
  readonly redisCauses: readonly string[];
  /** Every master by `host:port`, or `only` where there is one server. */
  readonly redisMasters: readonly { readonly server: string; readonly isUp: boolean }[];
  /** The state of every setting that is looked at, one of `settingStates`. */
  readonly redisSettings: readonly { readonly setting: string; readonly state: string }[];
  readonly settingStates: readonly string[];
  /** The data that was there before is missing, on one server or all. */
  readonly isDataGone: boolean;
  /** This process limits its calls by itself, because the key of the rate limit cannot be reached. */
  readonly limitsLocally: boolean;
  /** Figures of the connection of calls. */
  readonly redis: RedisFigures;
}

/** The figures of the connection to Redis, and of the servers behind it. */
export function registerRedis(kinds: Metrics, state: () => ScrapedRedis): void {
  const { gauge, labelledGauge, count, counter, histogram } = kinds;
  const redis = () => state().redis;
  gauge('loyalty_redis_up', '1 while Redis answers', () => Number(state().isRedisUp), 'min');
  labelledGauge(
    'loyalty_redis_unreachable',
    'Why Redis cannot be used: 1 for the cause in force, 0 for every other one',
    () => state().redisCauses.map((cause) => [{ cause }, Number(cause === state().redisCause)]),
    'max',
  );
  labelledGauge(
    'loyalty_redis_master_up',
    '1 while a master of Redis answers and takes writes; without a cluster, the only server',
    () => state().redisMasters.map(({ server, isUp }) => [{ server }, Number(isUp)]),
    'min',
  );
  labelledGauge(
    'loyalty_redis_setting',
    'Settings of Redis by state: 1 for the state that a setting is in, 0 for the others; of a cluster the worst master',
    () =>
      state().redisSettings.flatMap(({ setting, state: present }) =>
        state().settingStates.map((each) => [{ setting, state: each }, Number(each === present)] as const),
      ),
    'max',
  );
  gauge(
    'loyalty_redis_data_gone',
    '1 while data that was in Redis before is missing: it came back empty',
    () => Number(state().isDataGone),
    'max',
  );
  gauge(
    'loyalty_rate_limit_local',
    '1 while a process limits its calls by itself, because the key of the rate limit cannot be reached',
    () => Number(state().limitsLocally),
    'max',
  );
  count(
    'loyalty_redis_breaker_openings_total',
    'Times the breaker opened: Redis left pings unanswered or closed the connection',
    () => redis().breakerOpenings,
  );
  count('loyalty_redis_reconnects_total', 'Connections to Redis made after the first', () =>
    Math.max(0, redis().connects - 1),
  );
  counter('loyalty_redis_commands_failed_total', 'Commands that failed, or were refused by the breaker', () => [
    [{ cause: 'failed' }, redis().failed],
    [{ cause: 'refused' }, redis().refused],
  ]);
  histogram('loyalty_redis_round_trip_seconds', "Round trips of the gateway thread's commands to Redis", () => [
    [{}, redis().roundTrips],
  ]);
}
