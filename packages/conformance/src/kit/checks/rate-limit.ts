import { setTimeout as sleep } from 'node:timers/promises';
import { ERRORS, HTTP_OK } from '@loyalty/contract/errors';
import { describe, errorCode, headerValues } from '../exchange.ts';
import type { Checks } from '../session.ts';

/** 50 requests a second sustained, bursts to 200 (interface, section 8). Opt-in: it takes the environment's whole rate. */

const SUSTAINED_PER_SECOND = 50;
const BURST = 200;
const CALLS = 500;
/** Where calls are slow more are sent for so long, until some are refused or more are served than are due. */
const MOST_MS = 30_000;
/** Enough to pass any rate limit by far, and few enough that no call waits long behind the others. */
const CONCURRENCY = 16;
/** The bucket is full again this long after the kit's own calls ended. */
const REFILL_MS = (BURST / SUSTAINED_PER_SECOND) * 1000 + 500;
/** Allows for differing clocks and for a bucket that refills during the burst. */
const TOLERANCE = 1.1;

export const rateLimitChecks: Checks = {
  'rate-limit.burst': {
    section: '8',
    title:
      'A burst of 200 is served; what goes beyond the rate is rate_limited with Retry-After, and then served again',
    skippedBecause: ({ withRateLimit }) => (withRateLimit ? undefined : 'needs --rate-limit'),
    run: async (session) => {
      await sleep(REFILL_MS);
      const startedMs = performance.now();
      const answers: Awaited<ReturnType<typeof session.basket>>[] = [];
      const withStatus = (status: number) => answers.filter((exchange) => exchange.status === status);
      const passedMs = (): number => performance.now() - startedMs;
      const due = (): number => Math.ceil((BURST + (SUSTAINED_PER_SECOND * passedMs()) / 1000) * TOLERANCE);
      const isDecided = (): boolean =>
        withStatus(ERRORS.rate_limited.status).length > 0 || withStatus(HTTP_OK).length > due();
      let sent = 0;
      const work = async (): Promise<void> => {
        while (sent < CALLS || (passedMs() < MOST_MS && !isDecided())) {
          sent += 1;
          answers.push(await session.basket(session.baskets.of(), { isUnpaced: true }));
        }
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, work));
      const seconds = passedMs() / 1000;
      const served = withStatus(HTTP_OK).length;
      const limited = withStatus(ERRORS.rate_limited.status);
      const most = due();
      session.seen.length = 0;
      session.seen.push(`${served} served and ${limited.length} limited in ${seconds.toFixed(1)} s`);
      const others = answers.filter((exchange) => exchange.status !== HTTP_OK && !limited.includes(exchange));
      const descriptions = [...new Set(others.map(describe))].join(', ');
      session.expect(others.length === 0, `${others.length} calls were answered otherwise: ${descriptions}`);
      session.expect(served >= BURST, `only ${served} of a burst of ${BURST} were served`);
      session.expect(served <= most, `${served} were served where at most ${most} are due`);
      session.expect(
        served > most || limited.length > 0,
        `${sent} calls in ${seconds.toFixed(0)} s did not pass the rate: it has to be tested from nearer to the service`,
      );
      session.expect(
        limited.every((exchange) => errorCode(exchange) === 'rate_limited'),
        'a 429 without rate_limited',
      );
      const waits = limited.map((exchange) => Number(headerValues(exchange, 'Retry-After')[0]) || 1);
      await sleep(Math.max(1, ...waits) * 1000);
      await session.accepted(session.baskets.of(), 'a call after Retry-After');
    },
  },
};
