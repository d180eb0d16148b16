/** Limits of the interface (interface, section 8) and of our own transport, with their relations asserted. */

export const MAX_LINES = 200;
export const MAX_BODY_BYTES = 256 * 1024;
export const MAX_TEXT_CHARACTERS = 40;
export const MAX_FOOTER_CHARACTERS = 200;
export const MAX_LOYALTY_ID_CHARACTERS = 64;
export const MAX_TRANSACTION_ID_CHARACTERS = 64;

/**
 * Texts that the interface leaves unbounded. An answer repeats the texts of a line in every part that the line is cut
 * into, so a text as long as a body would make answers that no till can take. Several times what any real one has: an
 * identifier is a number, a UUID or a path of some, a barcode has 14 digits (GS1-128: 48 characters), a receipt 48 columns.
 */
export const MAX_IDENTIFIER_CHARACTERS = 256;
export const MAX_EAN_CHARACTERS = 64;
export const MAX_NAME_CHARACTERS = 1000;

/** A character is at most so many bytes of JSON: an escaped one, `\u0000`. */
const MAX_CHARACTER_BYTES = 6;

/** The most that a line of an answer takes, beside its shares of order discounts: its texts, and numbers and names of fields. */
const MAX_LINE_BYTES =
  MAX_CHARACTER_BYTES *
    (8 * MAX_IDENTIFIER_CHARACTERS + MAX_EAN_CHARACTERS + MAX_NAME_CHARACTERS + 3 * MAX_TEXT_CHARACTERS) +
  1024;

/**
 * What is answered is stored and replayed, so an answer past this is never given. It takes a third of a second at 100
 * megabits a second, of the half second that the caller waits.
 */
export const MAX_ANSWER_BYTES = 16 * MAX_BODY_BYTES;

/** The least number of cuts that fit, even of the longest lines, into the answer to the largest request. */
export const MIN_CUTS_ANSWERED = 150;

/** Money is an integer number of minor units that a JSON number holds exactly (2^53 − 1). */
export const MAX_MONEY = Number.MAX_SAFE_INTEGER;

/** The signature's time stamp may differ from our clock by this much in either direction (interface, section 5). */
export const CLOCK_WINDOW_SECONDS = 300;

/** More signatures than this in one header are an attack on our CPU, not a key rotation. */
export const MAX_SIGNATURES_PER_HEADER = 8;

/** A secret must hold at least this many random bytes (interface, section 5). */
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

/** The caller gives an attempt up after this time (interface, section 8); our deadline has to lie below it. */
export const CALLER_TIMEOUT_MS = 500;

function assert(isSo: boolean, relation: string): void {
  if (!isSo) throw new Error(`assertion failed: ${relation}`);
}

assert(
  MAX_ANSWER_BYTES >= 2 * MAX_BODY_BYTES + MIN_CUTS_ANSWERED * MAX_LINE_BYTES,
  'an answer has room for its request, its own fields and many cuts',
);
assert(MIN_DEADLINE_MS < CALLER_TIMEOUT_MS, 'a deadline fits into the patience of the caller');
