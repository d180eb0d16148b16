#!lua
-- Books the outcome of a calculation: consumes or releases its hold.
--   KEYS[1]  calc   KEYS[2]  hold   KEYS[3]  use   KEYS[4]  answer
--   KEYS[5]  held   KEYS[6]  holds-due
--   ARGV[1]  calculationId             ARGV[2]  outcome: the event's own fields as one text
--   ARGV[3]  1 when the sale consumes the held units
--   ARGV[4]  instant of this node's clock (ms) after which the sale is refused
--   ARGV[5]  retention (ms)            ARGV[6]  how long the calculation is kept now (ms), for returns
--   ARGV[7]  1 when the event tells the lines
-- Returns one of
--   { 'recorded', late 0|1, over-redeemed units, uses, status, venue, event still to be appended 0|1, claimable 0|1,
--     what benefits gave, instant of the answer (ms), or '' when the sale came before it,
--     total of the answer, tier and shares of the member, reason of an unchanged answer,
--     the basket as it is kept and the answer as it is stored, for the lines of the event, each or '',
--     uses of limits over all members, how these are still to end: `consume`, `release` or '' }
--   { 'duplicate', the same fields }
--   { 'conflict' }   { 'too_late' }
--   { 'conflict', venue, what benefits gave, instant of the answer, total, tier, shares as above }  the first event that takes
--     a consuming one back
--   { 'moved', member }  the member was merged into this one: move the calculation there first
--   { 'unknown' }    a tombstone stands: a later commit of the calculation takes no hold
-- Claimable: the calculation has no answer, so it may be priced anew, for another member too.
--- @include "clock"
--- @include "holds"
--- @include "periods"
--- @include "counters"
--- @include "consumption"
--- @include "booking"
--- @include "pieces"
--- @include "sold"

local moved = redis.call('HGET', KEYS[3], '!moved')
if moved then
  return { 'moved', moved }
end
local now = now_ms()
local calc = redis.call('HMGET', KEYS[1], 'state', 'sale', 'fp', 'deadline', 'holds', 'late', 'over', 'event', 'status', 'venue', 'at', 'soldAt', 'total', 'tier', 'share', 'reason', 'common', 'commonDue')
local state, sale, committed, deadline, holds = calc[1], calc[2], calc[3], calc[4], calc[5] or ''
local answered = tonumber(calc[12] or 0) >= tonumber(calc[11] or 0) and calc[11] or ''
local total, tier, share, reason = calc[13] or '', calc[14] or '', calc[15] or '', calc[16] or ''
local function kept(ending)
  local basket, answer = '', ''
  if ARGV[7] == '1' then
    basket = pieces_of(KEYS[1], 'b')
    answer = calc[9] == 'applied' and ARGV[3] == '1' and (redis.call('GET', KEYS[4]) or pieces_of(KEYS[1], 'a')) or ''
  end
  return basket, answer, calc[17] or '', ending or ''
end
local claimable = 1 - redis.call('EXISTS', KEYS[4])

if sale == ARGV[2] then
  if not committed then
    return { 'unknown' }
  end
  return { 'duplicate', tonumber(calc[6] or 0), tonumber(calc[7] or 0), holds, calc[9], calc[10], tonumber(calc[8] or 0), claimable, pieces_of(KEYS[1], 'g'), answered, total, tier, share, reason, kept(calc[18]) }
end
if now > tonumber(ARGV[4]) then
  return { 'too_late' }
end
if sale then
  redis.call('HINCRBY', KEYS[1], 'conflicts', 1)
  local consumed = committed and string.find(sale, '["applied"', 1, true) == 1
  if consumed and ARGV[3] ~= '1' and redis.call('HSETNX', KEYS[1], 'undone', 1) == 1 then
    return { 'conflict', calc[10], pieces_of(KEYS[1], 'g'), answered, total, tier, share }
  end
  return { 'conflict' }
end

-- Everything is decided; from here on only writes.
redis.call('HSET', KEYS[1], 'state', 'sold', 'sale', ARGV[2], 'soldAt', integer(now))
redis.call('PEXPIRE', KEYS[1], committed and ARGV[6] or ARGV[5])
if not committed then
  return { 'unknown' }
end
if ARGV[3] == '1' and calc[9] == 'applied' then
  keep_answer(KEYS[1], KEYS[4])
end

-- The hold itself must still exist: a script may have removed it while the clock was ahead, and its units may be taken.
local covered = state == 'open' and tonumber(deadline) > now
if covered and holds ~= '' then
  covered = is_live(redis.call('HGET', KEYS[2], ARGV[1]), now)
end
local late = covered and 0 or 1
local over = 0
drop_holds(KEYS[2], KEYS[5], KEYS[6], { ARGV[1] })
if ARGV[3] == '1' and holds ~= '' then
  local held_units = late == 1 and end_due_holds(KEYS[2], KEYS[5], KEYS[6], now)
  over = book_uses(KEYS[3], holds, held_units, now, tonumber(ARGV[5]))
end
local ending = calc[17] and (ARGV[3] == '1' and 'consume' or 'release') or ''
if ending ~= '' then
  redis.call('HSET', KEYS[1], 'commonDue', ending)
end
redis.call('HSET', KEYS[1], 'event', 1)
if late == 1 then
  redis.call('HSET', KEYS[1], 'late', 1, 'over', over)
end
return { 'recorded', late, over, holds, calc[9], calc[10], 1, claimable, pieces_of(KEYS[1], 'g'), calc[11] or '', total, tier, share, reason, kept(ending) }
