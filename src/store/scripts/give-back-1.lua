#!lua
-- Gives units of a counter back by hand.
--   KEYS[1]  use
--   ARGV[1]  usageKey                  ARGV[2]  units
-- Returns { 1 when they were given back and 0 when fewer are consumed, the units consumed after it }; { 0, -1 } of a merged member.
--- @include "counters"

if redis.call('HEXISTS', KEYS[1], '!moved') == 1 then
  return { 0, -1 }
end
local units, consumed = tonumber(ARGV[2]), consumed_units(KEYS[1], ARGV[1])
if consumed < units then
  return { 0, consumed }
end
redis.call('HINCRBY', KEYS[1], ARGV[1], -units)
-- Of the units past the limit the given ones are the first that are no longer.
local over = tonumber(redis.call('HGET', KEYS[1], ARGV[1] .. '!over') or 0)
if over > 0 then
  redis.call('HINCRBY', KEYS[1], ARGV[1] .. '!over', -math.min(over, units))
end
return { 1, consumed - units }
