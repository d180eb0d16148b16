/** A call that is under way for as long as its time lasts, because Redis stands still. */
import type { Answer } from './answer.ts';
import { readingOf, scrape } from './metrics.ts';
import type { RedisServer } from './redis-server.ts';
import type { Service } from './service.ts';
import { until } from './wait.ts';

/**
 * Pauses Redis under a call, and resolves while that one is the only one in flight. A machine that stands still lets its time run out
 * unseen: then another one is sent. The call is in an object, so that nobody waits for its answer here.
 */
export function pauseUnderCall(
  service: Service,
  redis: RedisServer,
  send: () => Promise<Answer>,
): Promise<{ readonly call: Promise<Answer> }> {
  return until('a call to be seen in flight', async () => {
    await until('a call to be served', async () => (await send()).status === 200);
    redis.pause();
    const call = send();
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    call.then(end, end);
    while (!isOver) {
      if (readingOf(await scrape(service), 'loyalty_in_flight') === 1 && !isOver) return { call };
    }
    redis.resume();
    return undefined;
  });
}
