#!lua flags=no-writes
-- Reads the counter of a limit over all members, as of one instant.
--- @include "clock"
--- @include "common"
--- @include "counters"
--- @include "holds"
--- @include "snapshot"
--- @declared "common-limits"

local now, own = now_ms(), {}
local held = has_few(hold_key) and count_holds(hold_key, now, function() end) or read_held(hold_key, held_key, holds_due_key, now)
for _, calculation_id in ipairs(wanted) do
  local hold = redis.call('HGET', hold_key, calculation_id)
  add_units(own, is_live(hold, now) and hold, 1)
end
local own_units = own[usage_key] or 0
return reply({
  consumed = consumed_units(use_key, usage_key),
  over_redeemed = tonumber(redis.call('HGET', use_key, usage_key .. '!over') or 0),
  held = math.max(0, (held[usage_key] or 0) - own_units),
  own = own_units,
  overdue = overdue(unconfirmed_key, now),
  since_ms = redis.call('HGET', use_key, usage_key .. '!since'),
})
