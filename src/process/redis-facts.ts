import type { CallFacts, Outcome } from '../calls/call.ts';
import type { CallRecord } from '../gateway/lifecycle.ts';
import type { RedisWatch } from '../redis/watch.ts';
import type { Tokens } from '../store/tokens.ts';
import type { ReadinessFacts } from '../telemetry/readiness.ts';
import type { Watches } from './watches.ts';

/** The facts that a process may report beside its checks: trouble with which it goes on answering. */
export const FACTS = ['masters', 'rateLimit', 'data', 'redisSettings', 'weakSettings', 'descriptors'] as const;

/** What of Redis is in trouble while the service is ready. */
export function redisFacts(
  { redisWatch, settingsWatch, dataWatch }: Watches,
  tokens: Tokens,
): ReadinessFacts & Readonly<Record<Exclude<(typeof FACTS)[number], 'descriptors'>, () => string | undefined>> {
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
export function noteRedisOutcome(watch: RedisWatch, outcome: Outcome, facts: CallFacts): void {
  if (outcome.kind === 'refusal') {
    if (facts.cause) watch.noteRefused(facts.cause, facts.server);
  } else if (!outcome.isReplayed) watch.noteServed();
}

/** Notes a call that Redis refused earlier on its way, and names the cause of any other that failed because of Redis. */
export function nameRedisCause(watch: RedisWatch, record: CallRecord): void {
  if (record.cause) return watch.noteRefused(record.cause, record.server);
  const isOfRedis = record.reason === 'redis' || record.reason === 'breaker' || record.reason === 'deadline';
  if (record.code === 'unavailable' && isOfRedis && watch.trouble) record.cause = watch.trouble.cause;
}
