/** Limits of the interface (interface, section 8) and of our own transport, with their relations asserted. */

export const MAX_LINES = 200;
export const MAX_BODY_BYTES = 256 * 1024;
export const MAX_TEXT_CHARACTERS = 40;
export const MAX_FOOTER_CHARACTERS = 200;
export const MAX_LOYALTY_ID_CHARACTERS = 64;
export const MAX_TRANSACTION_ID_CHARACTERS = 64;

/**
 * Our limits for texts that the interface leaves unbounded. An answer repeats the texts of a line in every part that
 * the line is cut into, so a text as long as a body would make answers too large for any till. Real texts are several
 * times shorter: an identifier is a number, a UUID or a short path, a barcode has 14 digits (GS1-128: 48 characters), a
 * receipt 48 columns.
 */
export const MAX_IDENTIFIER_CHARACTERS = 256;
export const MAX_EAN_CHARACTERS = 64;
export const MAX_NAME_CHARACTERS = 1000;

/** The text of a draft configuration that is sent to be priced beside the one in force, in bytes of UTF-8. */
export const MAX_DRAFT_BYTES = 1024 * 1024;
/** A basket and a draft in one JSON body, in which line breaks and quotation marks take two bytes. */
export const MAX_EXPLAIN_BODY_BYTES = MAX_BODY_BYTES + 2 * MAX_DRAFT_BYTES;

/** The most bytes of JSON for one character: an escaped one, `\u0000`. */
const MAX_CHARACTER_BYTES = 6;

/**
 * The most bytes of a line in an answer, without its shares of order discounts: its texts, its numbers and the names of
 * its fields.
 */
const MAX_LINE_BYTES =
  MAX_CHARACTER_BYTES *
    (8 * MAX_IDENTIFIER_CHARACTERS + MAX_EAN_CHARACTERS + MAX_NAME_CHARACTERS + 3 * MAX_TEXT_CHARACTERS) +
  1024;

/**
 * Every answer is stored and replayed, so a larger one is never given. At 100 megabits a second it takes a third of a
 * second, of the half second that the caller waits.
 */
export const MAX_ANSWER_BYTES = 16 * MAX_BODY_BYTES;

/** The number of cuts, even of the longest lines, that always fit into the answer to the largest request. */
const MIN_CUTS_ANSWERED = 150;

/** The largest Money: minor units up to 2^53 − 1, which a JSON number represents exactly. */
export const MAX_MONEY = Number.MAX_SAFE_INTEGER;

/** The signature's time stamp may differ from our clock by this much in either direction (interface, section 5). */
export const CLOCK_WINDOW_SECONDS = 300;

/** The most signatures in one header; more would be an attack on our CPU and no key rotation. */
export const MAX_SIGNATURES_PER_HEADER = 8;

/**
 * The longest signature header that is looked at, in characters: a stamp, the most signatures, and as much again for
 * keys that we do not know. Strangers may send any header, so its length is bounded before it is parsed.
 */
export const MAX_SIGNATURE_HEADER_CHARACTERS = 1024;

/** A secret must hold at least this many random bytes (interface, section 5). */
export const MIN_SECRET_BYTES = 32;

/**
 * Redis refuses a commit this long before the call's deadline, so that a committed answer still reaches the caller
 * before the gateway gives up the call.
 */
export const COMMIT_MARGIN_MS = 50;

/** The shortest deadline in a configuration: beside the margin it must leave time for the work itself. */
export const MIN_DEADLINE_MS = 2 * COMMIT_MARGIN_MS;

/** How often a call is priced again after a shortage before the scarce benefits are left out. */
export const MAX_SHORTAGE_ROUNDS = 3;

/** The caller gives up an attempt after this time (interface, section 8); our deadline must be shorter. */
export const CALLER_TIMEOUT_MS = 500;

function assert(isSo: boolean, relation: string): void {
  if (!isSo) throw new Error(`assertion failed: ${relation}`);
}

assert(
  MAX_ANSWER_BYTES >= 2 * MAX_BODY_BYTES + MIN_CUTS_ANSWERED * MAX_LINE_BYTES,
  'an answer has room for its request, its own fields and many cuts',
);
assert(
  MAX_SIGNATURE_HEADER_CHARACTERS >= 32 + MAX_SIGNATURES_PER_HEADER * 72,
  'a header with the most signatures has room for unknown keys',
);
assert(MIN_DEADLINE_MS < CALLER_TIMEOUT_MS, 'a deadline fits into the patience of the caller');
