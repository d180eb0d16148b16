#!lua
-- Books the outcome of a calculation: consumes or releases its hold.
--   KEYS[1]  calculation   KEYS[2]  hold   KEYS[3]  use   KEYS[4]  answer   KEYS[5]  held   KEYS[6]  holdsDue
--   KEYS[7]  … others: keys of the calculation that are kept as its record is (owned-keys.ts)
--   ARGV[1]  calculationId
--   ARGV[2]  outcome: the event's own fields as one text
--   ARGV[3]  consumes: 1 when the sale consumes the held units
--   ARGV[4]  deadlineMs: instant of this node's clock after which the sale is refused
--   ARGV[5]  retentionMs               ARGV[6]  keptMs: how long the calculation is kept now, for returns
--   ARGV[7]  asksLines: 1 when the event tells the lines
-- Returns one of
--   { 'recorded', isLate 0|1, overRedeemed, uses, answered, venueId, isEventDue 0|1, isClaimable 0|1, given, answeredAtMs, turnover,
--     tier, share, reason, basket, answer, common, ending, bookedAtMs }
--   { 'duplicate', isLate, overRedeemed, uses, answered, venueId, isEventDue, isClaimable, given, answeredAtMs, turnover, tier, share,
--     reason, basket, answer, common, ending, bookedAtMs }
--       overRedeemed: units past the limits; answered: status of the answer; isEventDue: the event is still to be appended;
--       isClaimable: the calculation has no answer, so it may be priced anew, for another member too; given: what benefits gave;
--       answeredAtMs: '' when the sale came before the answer; turnover: total of the answer; tier, share: of the member; reason: of
--       an unchanged answer; basket as it is kept and answer as it is stored: for the lines of the event, each or '';
--       common: uses of limits over all members; ending: how these are still to end, `consume`, `release`, `give_back` or '';
--       bookedAtMs: when the sale was booked
--   { 'conflict', isNew 0|1, venueId, given, answeredAtMs, turnover, tier, share, bookedAtMs }  the first outcome stands; isNew: it is
--       the first event that says otherwise, whose outcome is kept for a person to decide
--   { 'too_late' }
--   { 'moved', into }  the member was merged into this one: move the calculation there first
--   { 'unknown' }    a tombstone stands: a later commit of the calculation takes no hold
--- @include "clock"
--- @include "holds"
--- @include "periods"
--- @include "counters"
--- @include "consumption"
--- @include "booking"
--- @include "pieces"
--- @include "sold"

local calculation_key, hold_key, use_key, answer_key, held_key, holds_due_key = unpack(KEYS)
local calculation_id, outcome, consumes, deadline_ms, retention_ms, kept_ms, asks_lines = unpack(ARGV)

local moved = redis.call('HGET', use_key, '!moved')
if moved then
  return { 'moved', moved }
end
local now = now_ms()
local calc = redis.call('HMGET', calculation_key, 'state', 'sale', 'fp', 'deadline', 'holds', 'late', 'over', 'event', 'status', 'venue', 'at', 'soldAt', 'total', 'tier', 'share', 'reason', 'common', 'commonDue')
local state, sale, committed, deadline, holds = calc[1], calc[2], calc[3], calc[4], calc[5] or ''
local answered = tonumber(calc[12] or 0) >= tonumber(calc[11] or 0) and calc[11] or ''
local total, tier, share, reason = calc[13] or '', calc[14] or '', calc[15] or '', calc[16] or ''
local function kept(ending)
  local basket, answer = '', ''
  if asks_lines == '1' then
    basket = pieces_of(calculation_key, 'b')
    answer = calc[9] == 'applied' and consumes == '1' and (redis.call('GET', answer_key) or pieces_of(calculation_key, 'a')) or ''
  end
  return basket, answer, calc[17] or '', ending or '', calc[12] or now
end
local claimable = 1 - redis.call('EXISTS', answer_key)

if sale == outcome then
  if not committed then
    return { 'unknown' }
  end
  return { 'duplicate', tonumber(calc[6] or 0), tonumber(calc[7] or 0), holds, calc[9], calc[10], tonumber(calc[8] or 0), claimable, pieces_of(calculation_key, 'g'), answered, total, tier, share, reason, kept(calc[18]) }
end
if now > tonumber(deadline_ms) then
  return { 'too_late' }
end
if sale then
  redis.call('HINCRBY', calculation_key, 'conflicts', 1)
  local new = redis.call('HSETNX', calculation_key, 'second', outcome)
  if new == 1 and consumes == '1' and calc[9] == 'applied' and redis.call('HEXISTS', calculation_key, 'a0') == 0 then
    -- Should a person decide for it, goods of it can come back long after the answer is forgotten.
    keep_answer(calculation_key, answer_key)
  end
  return { 'conflict', new, calc[10] or '', pieces_of(calculation_key, 'g'), answered, total, tier, share, integer(now) }
end

-- Everything is decided; from here on only writes.
redis.call('HSET', calculation_key, 'state', 'sold', 'sale', outcome, 'soldAt', integer(now))
redis.call('PEXPIRE', calculation_key, committed and kept_ms or retention_ms)
for number = 7, #KEYS do
  redis.call('PEXPIRE', KEYS[number], committed and kept_ms or retention_ms)
end
if not committed then
  return { 'unknown' }
end
if consumes == '1' and calc[9] == 'applied' then
  keep_answer(calculation_key, answer_key)
end

-- The hold itself must still exist: a script may have removed it while the clock was ahead, and its units may be taken.
local covered = state == 'open' and tonumber(deadline) > now
if covered and holds ~= '' then
  covered = is_live(redis.call('HGET', hold_key, calculation_id), now)
end
local late = covered and 0 or 1
local over = 0
drop_holds(hold_key, held_key, holds_due_key, { calculation_id })
if consumes == '1' and holds ~= '' then
  local held_units = late == 1 and end_due_holds(hold_key, held_key, holds_due_key, now)
  over = book_uses(use_key, holds, held_units, now, tonumber(retention_ms))
end
local ending = calc[17] and (consumes == '1' and 'consume' or 'release') or ''
if ending ~= '' then
  redis.call('HSET', calculation_key, 'commonDue', ending)
end
redis.call('HSET', calculation_key, 'event', 1)
if late == 1 then
  redis.call('HSET', calculation_key, 'late', 1, 'over', over)
end
return { 'recorded', late, over, holds, calc[9], calc[10], 1, claimable, pieces_of(calculation_key, 'g'), calc[11] or '', total, tier, share, reason, kept(ending) }
