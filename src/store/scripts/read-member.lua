#!lua flags=no-writes
-- Reads a member with its consumption and holds for pricing, as of one instant.
--- @include "clock"
--- @include "snapshot"
--- @declared "members"

local member, now = redis.call('HGETALL', member_key), now_ms()
-- Most members have used and hold nothing.
if not with_uses or redis.call('EXISTS', use_key, hold_key) == 0 then
  return reply({ now_ms = now, fields = member })
end
local uses, holds, held, is_summed, is_partial = read_uses(use_key, hold_key, held_key, holds_due_key, now, wanted)
return reply({
  now_ms = now,
  fields = member,
  uses = uses,
  holds = holds,
  held = held,
  is_summed = is_summed,
  is_partial = is_partial,
})
