#!lua
-- Ends a calculation that was never sold, once its hold time is over.
--   KEYS[1]  calculation   KEYS[2]  hold   KEYS[3]  held   KEYS[4]  holdsDue
--   ARGV[1]  calculationId   ARGV[2]  how long its event is left to the caller that was given it (ms)
-- Returns one of
--   { 'expired', uses, status, venue, what benefits gave, … }  ended now, or ended before by a caller that has not appended the event in its time
--   { 'not_due', milliseconds left, calculationId }  of the hold time, or of the time in which another caller appends the event
--   { 'ended', … }  sold, superseded, expired before, or never committed
-- … its uses of limits over all members, or '', how these are still to end: `consume`, `release` or '', and calculationId.
-- calculationId: the superseded one that it has still to release (calculations.ts); left out where there is none.
-- The mark of an event still to be appended is when it was given to a caller; where an older version wrote 1, that is long ago.
-- It is a field of its own: a late sale, which may come before the event of the expiry
-- is appended, has its own mark.
--- @include "clock"
--- @include "holds"
--- @include "pieces"

local calc = redis.call('HMGET', KEYS[1], 'state', 'deadline', 'holds', 'status', 'venue', 'expiryEvent', 'common', 'commonDue', 'release')
local state, common, ending, pending = calc[1], calc[7] or '', calc[8] or '', calc[9] or nil
local now = now_ms()
if state == 'open' then
  local left = tonumber(calc[2]) - now
  if left > 0 then
    return { 'not_due', left, pending }
  end
  redis.call('HSET', KEYS[1], 'state', 'expired')
  drop_holds(KEYS[2], KEYS[3], KEYS[4], { ARGV[1] })
  if common ~= '' then
    ending = 'release'
    redis.call('HSET', KEYS[1], 'commonDue', ending)
  end
elseif state ~= 'expired' or not calc[6] then
  return { 'ended', common, ending, pending }
else
  local left = tonumber(calc[6]) + tonumber(ARGV[2]) - now
  -- More would be left after a clock went back.
  if left > 0 and left <= tonumber(ARGV[2]) then
    return { 'not_due', left, pending }
  end
end
redis.call('HSET', KEYS[1], 'expiryEvent', integer(now))
return { 'expired', calc[3] or '', calc[4], calc[5], pieces_of(KEYS[1], 'g'), common, ending, pending }
