/**
 * The reasons why a call is answered 503, in log and metric. To the caller they are one: it may come again.
 *
 * - `deadline`: its time ran out; a phase goes with it
 * - `breaker`: Redis is silent or not connected, and was not asked
 * - `redis`: Redis refused a command, or the connection closed under it
 * - `admission`: too many calls are in flight
 * - `threads`: the worker threads are not ready, have more to do than would end in time, or have another configuration while a reload
 *   replaces them, or one was ended because a call was stuck in it
 * - `drain`: the service is going down, and the body had not arrived
 * - `upload`: the body took too long to arrive, or too many others were on their way
 */
export const UNAVAILABLE_REASONS = ['deadline', 'breaker', 'redis', 'admission', 'threads', 'drain', 'upload'] as const;
export type UnavailableReason = (typeof UNAVAILABLE_REASONS)[number];

/** No thread takes the call, because they have too much to do, are not ready or have another configuration, or its thread was ended. */
export class PoolUnavailable extends Error {}
