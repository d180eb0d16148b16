#!lua flags=no-writes
-- Reads a member with its consumption and holds for pricing, as of one instant.
--   KEYS[1]  member   KEYS[2]  use   KEYS[3]  hold   KEYS[4]  held   KEYS[5]  holdsDue
--   ARGV[1]  withUses: 1 when the programme has limited or granted benefits
--   ARGV[2]  … wanted: calculations whose holds are wanted by themselves
-- Returns { nowMs, fields, uses, holds, held, form } of the member, its consumption, its holds and their sums, each list flat;
-- form: what these are 0|1|2|3 (snapshot)
--- @include "clock"
--- @include "holds"
--- @include "snapshot"

local member_key, use_key, hold_key, held_key, holds_due_key = unpack(KEYS)
local member, now = redis.call('HGETALL', member_key), now_ms()
-- Most members have used and hold nothing.
if ARGV[1] ~= '1' or redis.call('EXISTS', use_key, hold_key) == 0 then
  return { now, member, {}, {}, {}, 0 }
end
return { now, member, read_uses(use_key, hold_key, held_key, holds_due_key, now, { unpack(ARGV, 2) }) }
