/**
 * Redis cannot serve the command now. The caller is answered 503 and may retry. Any other error reply of Redis is our
 * bug.
 */
export class StoreUnavailable extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'StoreUnavailable';
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

/** Error replies of a Redis that is starting, overloaded, failing over or full. */
const TRANSIENT_REPLIES = [
  'BUSY',
  'CLUSTERDOWN',
  'LOADING',
  'MASTERDOWN',
  'MISCONF',
  'MOVED',
  'ASK',
  'NOAUTH',
  'NOPERM',
  'NOREPLICAS',
  'OOM',
  'READONLY',
  'TRYAGAIN',
  'UNKILLABLE',
  'WRONGPASS',
  'ERR max number of clients reached',
  // A script that its user may not run: Redis 7.0, and from 7.2 on.
  'ERR The user executing the script',
  'ERR ACL failure in script',
];

/** Turns an error of the Redis client into `StoreUnavailable`, except for an error reply that only a bug explains. */
export function toStoreError(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  if (error instanceof StoreUnavailable) return error;
  const isReply = error.name === 'ReplyError';
  if (!isReply || TRANSIENT_REPLIES.some((prefix) => error.message.startsWith(prefix))) {
    return new StoreUnavailable(`Redis: ${error.message}`, { cause: error });
  }
  return error;
}

/** True for the reply to an `EVALSHA` whose script this Redis does not have. */
export function isNoScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT');
}
