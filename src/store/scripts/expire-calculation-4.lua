#!lua
-- Ends a calculation that was never sold, once its hold time is over.
--   KEYS[1]  calculation   KEYS[2]  hold   KEYS[3]  held   KEYS[4]  holdsDue
--   ARGV[1]  calculationId   ARGV[2]  appendedMs: how long its event is left to the caller that was given it
-- Returns one of
--   { 'expired', uses, answered, venueId, given, common, ending, pendingRelease }  ended now, or ended before by a caller that has not
--       appended the event in its time
--   { 'not_due', leftMs, pendingRelease }  of the hold time, or of the time in which another caller appends the event
--   { 'ended', common, ending, pendingRelease }  sold, superseded, expired before, or never committed
-- answered: status of the answer; given: what benefits gave; common: its uses of limits over all members, or ''; ending: how these are
-- still to end, `consume`, `release`, `give_back` or ''; pendingRelease: the superseded calculation that it has still to release (calculations.ts),
-- left out where there is none.
-- The mark of an event still to be appended is when it was given to a caller; where an older version wrote 1, that is long ago.
-- It is a field of its own: a late sale, which may come before the event of the expiry
-- is appended, has its own mark.
--- @include "clock"
--- @include "holds"
--- @include "pieces"
local calculation_key, hold_key, held_key, holds_due_key = unpack(KEYS)
local calculation_id, appended_ms = unpack(ARGV)

local calc = redis.call('HMGET', calculation_key, 'state', 'deadline', 'holds', 'status', 'venue', 'expiryEvent', 'common', 'commonDue', 'release')
local state, common, ending, pending = calc[1], calc[7] or '', calc[8] or '', calc[9] or nil
local now = now_ms()
if state == 'open' then
  local left = tonumber(calc[2]) - now
  if left > 0 then
    return { 'not_due', left, pending }
  end
  redis.call('HSET', calculation_key, 'state', 'expired')
  drop_holds(hold_key, held_key, holds_due_key, { calculation_id })
  if common ~= '' then
    ending = 'release'
    redis.call('HSET', calculation_key, 'commonDue', ending)
  end
elseif state ~= 'expired' or not calc[6] then
  return { 'ended', common, ending, pending }
else
  local left = tonumber(calc[6]) + tonumber(appended_ms) - now
  -- More would be left after a clock went back.
  if left > 0 and left <= tonumber(appended_ms) then
    return { 'not_due', left, pending }
  end
end
redis.call('HSET', calculation_key, 'expiryEvent', integer(now))
return { 'expired', calc[3] or '', calc[4], calc[5], pieces_of(calculation_key, 'g'), common, ending, pending }
