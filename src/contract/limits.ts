/** Limits of the interface (specification, section 8) and of our own transport, with their relations asserted. */

export const MAX_LINES = 200;
export const MAX_BODY_BYTES = 256 * 1024;
export const MAX_TEXT_CHARACTERS = 40;
export const MAX_FOOTER_CHARACTERS = 200;
export const MAX_LOYALTY_ID_CHARACTERS = 64;
export const MAX_TRANSACTION_ID_CHARACTERS = 64;

/** Identifiers that the specification leaves unbounded; the bound keeps a key or a log line from carrying a whole body. */
export const MAX_IDENTIFIER_CHARACTERS = 256;

/** Money is an integer number of minor units that a JSON number holds exactly (2^53 − 1). */
export const MAX_MONEY = Number.MAX_SAFE_INTEGER;

/** The signature's time stamp may differ from our clock by this much in either direction (section 5). */
export const CLOCK_WINDOW_SECONDS = 300;

/** More signatures than this in one header are an attack on our CPU, not a key rotation. */
export const MAX_SIGNATURES_PER_HEADER = 8;

/** A secret must hold at least this many random bytes (section 5). */
export const MIN_SECRET_BYTES = 32;

/**
 * A commit is refused by Redis this long before the call's deadline, so that an answer which was written still reaches
 * the caller before the front end gives the call up.
 */
export const COMMIT_MARGIN_MS = 50;

/** The shortest deadline a configuration may name: the margin must leave room for the work itself. */
export const MIN_DEADLINE_MS = 2 * COMMIT_MARGIN_MS;

/** How often a call is priced again after a shortage before the scarce benefits are left out (design of the commit). */
export const MAX_SHORTAGE_ROUNDS = 3;

/** The caller gives an attempt up after this time (section 8); our deadline has to lie below it. */
export const CALLER_TIMEOUT_MS = 500;
