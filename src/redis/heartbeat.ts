/** How often each connection pings its servers. */
export const HEARTBEAT_MS = 100;
/**
 * A server that leaves its heartbeat unanswered for this many beats (300 ms) counts as hung. Beats are counted instead
 * of time: while our own thread is busy, the answer waits unread and the server is not at fault.
 */
export const BREAKER_BEATS = 3;
/** After this many unanswered beats (2 s) the connection is replaced: its peer may have vanished without closing it. */
export const SILENCE_BEATS = 20;
