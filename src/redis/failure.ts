import { causeOfReply, type RedisCause } from './cause.ts';

/** Why a command failed and on which server, as far as that is known. */
export interface FailureFacts extends ErrorOptions {
  readonly redisCause?: RedisCause | undefined;
  /** The master of a cluster, as `host:port`; undefined where there is one server only. */
  readonly server?: string | undefined;
}

/**
 * Redis cannot serve the command now. The caller is answered 503 and may retry. Any other error reply of Redis is our
 * bug.
 */
export class StoreUnavailable extends Error {
  readonly redisCause: RedisCause | undefined;
  readonly server: string | undefined;

  constructor(reason: string, { redisCause, server, ...options }: FailureFacts = {}) {
    super(reason, options);
    this.name = 'StoreUnavailable';
    [this.redisCause, this.server] = [redisCause, server];
  }
}

/** The breaker is open: Redis is silent or not connected, and the command was not sent. */
export class BreakerOpen extends StoreUnavailable {}

/** The time of the call has run out, so that nothing more of it may be written. */
export class DeadlinePassed extends StoreUnavailable {
  constructor(reason = 'the deadline has passed') {
    super(reason);
  }
}

/** The reason of a 503 whose cause is Redis, or the time that Redis took. */
export function reasonOf(error: StoreUnavailable): 'deadline' | 'breaker' | 'redis' {
  if (error instanceof DeadlinePassed) return 'deadline';
  return error instanceof BreakerOpen ? 'breaker' : 'redis';
}

/** Error replies that name no cause: a cluster moves slots, or a script that has written cannot be stopped. */
const TRANSIENT_REPLIES = /^(?:MOVED|ASK|TRYAGAIN|UNKILLABLE)/;

/**
 * Turns an error of the Redis client into `StoreUnavailable`, except for an error reply that only a bug explains. `server`
 * is the master that the command was meant for.
 */
export function toStoreError(error: unknown, server?: string): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  if (error instanceof StoreUnavailable) return error;
  const isReply = error.name === 'ReplyError';
  // Of a connection that closed under a command the watch finds out the cause.
  const redisCause = isReply ? causeOfReply(error.message) : undefined;
  if (isReply && redisCause === undefined && !TRANSIENT_REPLIES.test(error.message)) return error;
  return new StoreUnavailable(`Redis: ${error.message}`, { cause: error, redisCause, server });
}
