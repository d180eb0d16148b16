#!lua
-- Notes when calculations are looked at for expiry, by Redis' clock.
--   KEYS[1]  due
--   ARGV[1]  milliseconds from now
--   ARGV[2]  milliseconds from now at which their calls are over, or '' to move only those that are noted already
--   ARGV[3]  … calculationIds
-- A calculation that a call finds noted for an earlier time keeps it, because a release may wait for it; only until the call
-- is over is the look put off.
-- Returns nothing of use.
--- @include "clock"

local now = now_ms()
local due = integer(now + tonumber(ARGV[1]))
for at = 3, #ARGV do
  if ARGV[2] == '' then
    redis.call('ZADD', KEYS[1], 'XX', due, ARGV[at])
  else
    redis.call('ZADD', KEYS[1], 'LT', due, ARGV[at])
    redis.call('ZADD', KEYS[1], 'GT', integer(now + tonumber(ARGV[2])), ARGV[at])
  end
end
return 0
