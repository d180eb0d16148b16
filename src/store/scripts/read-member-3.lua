#!lua flags=no-writes
-- Reads a member with its consumption and holds for pricing, as of one instant.
--   KEYS[1]  member   KEYS[2]  use   KEYS[3]  hold
--   ARGV[1]  1 when the programme has limited or granted benefits
-- Returns { now in ms, member fields, use fields, hold fields }, each list flat.
--- @include "clock"

local member = redis.call('HGETALL', KEYS[1])
if ARGV[1] ~= '1' then
  return { now_ms(), member, {}, {} }
end
return { now_ms(), member, redis.call('HGETALL', KEYS[2]), redis.call('HGETALL', KEYS[3]) }
