#!lua flags=no-writes
-- Reads a member with its consumption and holds for pricing, as of one instant.
--   KEYS[1]  member   KEYS[2]  use   KEYS[3]  hold   KEYS[4]  held   KEYS[5]  holds-due
--   ARGV[1]  1 when the programme has limited or granted benefits
--   ARGV[2]  … calculations whose holds are wanted by themselves
-- Returns { now in ms, member fields, use fields, holds, held sums, what these are 0|1|2|3 (snapshot) }, each list
-- flat.
--- @include "clock"
--- @include "holds"
--- @include "snapshot"

local member, now = redis.call('HGETALL', KEYS[1]), now_ms()
if ARGV[1] ~= '1' then
  return { now, member, {}, {}, {}, 0 }
end
return { now, member, read_uses(KEYS[2], KEYS[3], KEYS[4], KEYS[5], now, { unpack(ARGV, 2) }) }
