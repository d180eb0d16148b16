#!lua
-- Notes that a configuration came into force, unless it is the last one noted.
--- @include "clock"
--- @declared "environment"

local last = redis.call('LINDEX', configurations_key, -1)
if last and (not is_new or string.match(last, '^%d+ (%S+)') == version) then
  return {}
end
redis.call('RPUSH', configurations_key, integer(now_ms()) .. ' ' .. version .. ' ' .. facts)
local dropped = {}
while redis.call('LLEN', configurations_key) > tonumber(most) do
  dropped[#dropped + 1] = string.match(redis.call('LPOP', configurations_key), '^%d+ (%S+)')
end
return dropped
