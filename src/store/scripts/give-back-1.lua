#!lua
-- Gives units of a counter back by hand.
--   KEYS[1]  use
--   ARGV[1]  usageKey                  ARGV[2]  units
-- Returns { 1 when they were given back and 0 when fewer are consumed, the units consumed after it }; { 0, -1 } of a merged member.
--- @include "counters"
--- @include "give-back"

if redis.call('HEXISTS', KEYS[1], '!moved') == 1 then
  return { 0, -1 }
end
local units, consumed = tonumber(ARGV[2]), consumed_units(KEYS[1], ARGV[1])
if consumed < units then
  return { 0, consumed }
end
give_back(KEYS[1], ARGV[1], units)
return { 1, consumed - units }
