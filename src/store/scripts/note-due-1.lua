#!lua
-- Notes when calculations are looked at for expiry, by Redis' clock.
--   KEYS[1]  due
--   ARGV[1]  milliseconds from now
--   ARGV[2]  'all' to note every one, 'noted' to move only those that are noted already
--   ARGV[3]  … calculationIds
-- Returns nothing of use.
--- @include "clock"

local due = integer(now_ms() + tonumber(ARGV[1]))
for at = 3, #ARGV do
  if ARGV[2] == 'noted' then
    redis.call('ZADD', KEYS[1], 'XX', due, ARGV[at])
  else
    redis.call('ZADD', KEYS[1], due, ARGV[at])
  end
end
return 0
