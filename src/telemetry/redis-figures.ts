import { BucketCounts } from './bucket-counts.ts';

/** Bounds in milliseconds: a round trip to a near Redis is a fraction of one; past 25 the latency budget feels it. */
const ROUND_TRIP_BUCKETS_MS = [0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 400, 1000] as const;

/** What one connection to Redis has seen since it was opened. */
export class RedisFigures {
  /** Times the breaker opened: Redis was there and then was not. */
  breakerOpenings = 0;
  /** Times a usable connection was made; all but the first are reconnects. */
  connects = 0;
  /** Commands that were sent and did not come back with a reply that can be used. */
  failed = 0;
  /** Commands that were not sent, because the breaker was open. */
  refused = 0;
  /** From a command's sending to its reply or failure, queueing in this process included. */
  readonly roundTrips = new BucketCounts(ROUND_TRIP_BUCKETS_MS);
}
