#!lua
-- Notes that a configuration came into force, unless it is the last one noted.
--   KEYS[1]  configurations
--   ARGV[1]  version   ARGV[2]  facts: about it   ARGV[3]  most: that are kept
--   ARGV[4]  isNew: 1 when it has just come into force; 0 when that was noted before, and only an empty list takes it
-- Returns dropped: the versions that are kept no longer
--- @include "clock"

local last = redis.call('LINDEX', KEYS[1], -1)
if last and (ARGV[4] ~= '1' or string.match(last, '^%d+ (%S+)') == ARGV[1]) then
  return {}
end
redis.call('RPUSH', KEYS[1], integer(now_ms()) .. ' ' .. ARGV[1] .. ' ' .. ARGV[2])
local dropped = {}
while redis.call('LLEN', KEYS[1]) > tonumber(ARGV[3]) do
  dropped[#dropped + 1] = string.match(redis.call('LPOP', KEYS[1]), '^%d+ (%S+)')
end
return dropped
