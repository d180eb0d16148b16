#!lua
-- Notes that the calculation of a hold is committed: the hold stays for the calculation's life. Safe to repeat.
--   KEYS[1]  hold   KEYS[2]  held   KEYS[3]  holdsDue   KEYS[4]  unconfirmed
--   ARGV[1]  calculationId             ARGV[2]  its member
--   ARGV[3]  its use: `usageKey=units/limit`
-- Returns nothing of use.
--- @include "clock"
--- @include "holds"

redis.call('ZREM', KEYS[4], ARGV[2] .. ' ' .. ARGV[1])
local now, hold = now_ms(), redis.call('HGET', KEYS[1], ARGV[1])
if not is_live(hold, now) then
  return 0
end
local deadline, uses = string.match(hold, '^(%d+) (.*)$')
if uses ~= ARGV[3] then
  -- A duplicate of the call wanted more than the one that was committed.
  drop_holds(KEYS[1], KEYS[2], KEYS[3], { ARGV[1] })
  put_hold(KEYS[1], KEYS[2], KEYS[3], ARGV[1], deadline, ARGV[3], integer(tonumber(deadline) - now), now)
end
return 0
