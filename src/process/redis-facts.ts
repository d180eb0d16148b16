import type { Outcome } from '../calls/call.ts';
import type { CallRecord } from '../gateway/call-record.ts';
import type { RedisWatch } from '../redis/watch.ts';
import type { Tokens } from '../store/tokens.ts';
import type { ReadinessChecks } from '../telemetry/readiness.ts';
import type { Watches } from './watches.ts';

/** What of Redis is in trouble while the service is ready. */
export function redisFacts({ redisWatch, settingsWatch, dataWatch }: Watches, tokens: Tokens): ReadinessChecks {
  return {
    masters: () => redisWatch.mastersInTrouble,
    data: () => dataWatch.fact,
    redisSettings: () => settingsWatch.wrong,
    weakSettings: () => settingsWatch.weak,
    rateLimit: () =>
      tokens.isLocal ? 'the key of the rate limit cannot be reached: this process limits by itself' : undefined,
  };
}

/** Notes what a call that was priced or settled met in Redis, whether its caller waited for it or not. */
export function noteRedisOutcome(watch: RedisWatch, outcome: Outcome): void {
  const { facts } = outcome;
  if (outcome.kind === 'refusal') {
    if (facts.cause) watch.noteRefused(facts.cause, facts.server);
  } else if (!outcome.isReplayed) watch.noteServed();
}

/**
 * The record of an ended call, with the cause that is known of Redis' trouble where the call failed because of Redis and met none
 * itself. That is a guess: what counts as evidence against Redis is what the call itself met there, which its outcome says.
 */
export function withRedisCause(watch: RedisWatch, record: CallRecord): CallRecord {
  const { code, reason, cause } = record;
  const isOfRedis = reason === 'redis' || reason === 'breaker' || reason === 'deadline';
  if (cause || code !== 'unavailable' || !isOfRedis || !watch.trouble) return record;
  return { ...record, cause: watch.trouble.cause };
}
