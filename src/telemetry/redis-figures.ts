import { BucketCounts } from './bucket-counts.ts';

/** Bounds in milliseconds: a round trip to a near Redis is a fraction of one; past 25 the latency budget feels it. */
const ROUND_TRIP_BUCKETS_MS = [0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 400, 1000] as const;

/** The figures of one connection to Redis since it was opened. */
export class RedisFigures {
  /** Times the breaker opened, so that commands were refused: Redis left pings unanswered or closed the connection. */
  breakerOpenings = 0;
  /** Times a usable connection was made; all but the first are reconnects. */
  connects = 0;
  /** Commands that were sent but got no usable reply. */
  failed = 0;
  /** Commands that the open breaker refused. */
  refused = 0;
  /** Time from sending a command to its reply or failure, including queueing in this process. */
  readonly roundTrips = new BucketCounts(ROUND_TRIP_BUCKETS_MS);
}
