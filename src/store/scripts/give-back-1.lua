#!lua
-- Gives units of a counter back by hand.
--   KEYS[1]  use
--   ARGV[1]  usageKey                  ARGV[2]  units
-- Returns { 1 when they were given back and 0 when fewer are consumed, the units consumed after it }; { 0, -1 } of a merged member.
--- @include "counters"

if redis.call('HEXISTS', KEYS[1], '!moved') == 1 then
  return { 0, -1 }
end
local left, consumed = tonumber(ARGV[2]), consumed_units(KEYS[1], ARGV[1])
if consumed < left then
  return { 0, consumed }
end
for _, usage in ipairs({ ARGV[1], unmarked(ARGV[1]) }) do
  local given = math.min(left, tonumber(redis.call('HGET', KEYS[1], usage) or 0))
  if given > 0 then
    redis.call('HINCRBY', KEYS[1], usage, -given)
    left = left - given
  end
end
-- Of the units past the limit the given ones are the first that are no longer.
local over = tonumber(redis.call('HGET', KEYS[1], ARGV[1] .. '!over') or 0)
if over > 0 then
  redis.call('HINCRBY', KEYS[1], ARGV[1] .. '!over', -math.min(over, tonumber(ARGV[2])))
end
return { 1, consumed - tonumber(ARGV[2]) }
