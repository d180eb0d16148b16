#!lua
-- Stores an answer, takes its hold and releases the calculation it supersedes, all at once or not at all. On a cluster, where the
-- calculation ID was claimed in its own slot just before (claim-index).
--   KEYS[1]  calc   KEYS[2]  answer   KEYS[3]  hold   KEYS[4]  use
--   KEYS[5]  calc of the superseded calculation of the same member, or a key that nothing has
--   KEYS[6]  held   KEYS[7]  holds-due
--   KEYS[8]  index of the calculation  KEYS[9]  due; on a cluster keys that nothing has
--   ARGV[1]  calculationId             ARGV[2]  fingerprint
--   ARGV[3]  deadline of the call (ms) ARGV[4]  hold time (ms)
--   ARGV[5]  idempotency window (ms)   ARGV[6]  retention (ms)
--   ARGV[7]  answer as stored          ARGV[8]  venueId
--   ARGV[9]  uses: `usageKey=units/limit …`, or ''
--   ARGV[10] superseded calculationId of the same member, or ''
--   ARGV[11] calculationId still to be released elsewhere, or ''
--   ARGV[12] outcome of the sale event that came before this call, or ''
--   ARGV[13] calculationId of the successor that came before this call, or ''
--   ARGV[14] status of the answer      ARGV[15] total of the answer, or ''
--   ARGV[16] what is kept of the basket, or '' (kept-baskets.ts)
--   ARGV[17] tier of the member, or '' ARGV[18] shares that the member is in, or ''
--   ARGV[19] reason of an unchanged answer, or ''
--   ARGV[20] uses of limits over all members, which hold them already: `counter/usageKey=units/limit …`, or ''
--   ARGV[21] 1 when these units are there only if this commit ends the superseded calculation
--   ARGV[22] member of the calculation
--   ARGV[23] the index entry as it was read, '' where there was none, or 'claimed' where the ID is claimed already
--   ARGV[24] milliseconds from now at which the calculation is looked at for expiry
--   ARGV[25] milliseconds from now at which its call is over
--   ARGV[26] … what benefits give, a field each (given.ts)
-- Returns one of
--   { 'committed', holds made 0|1, holds released 0|1, calculationId still to be released or '',
--     uses of limits over all members that a superseded calculation of the same member has to give back, or '',
--     1 when its own uses of such limits hold }
--   { 'replay', answer, calculationId still to be released or '' }
--   { 'conflict' }                     { 'too_late' }
--   { 'changed' }                      the index entry is another one, or the member was merged: both must be read again
--   { 'changed' }                      what was read before has changed: it has to be read again
--   { 'not_lent' }                     the superseded calculation does not end by this commit
--   { 'shortage', usageKey, units left, … }
--- @include "clock"
--- @include "holds"
--- @include "counters"
--- @include "supersede"
--- @include "note-due"

--- @include "commit"

local function nothing() end
return commit(nothing, nothing)
