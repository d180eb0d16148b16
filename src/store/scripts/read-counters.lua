#!lua flags=no-writes
-- Reads some counters of a member that has too many to be read whole.
--- @include "clock"
--- @include "holds"
--- @include "snapshot"
--- @declared "members"

local held, now = {}, now_ms()
if has_few(hold_key) then
  held = {}
elseif redis.call('HLEN', held_key) > MOST_READ and has_sums(hold_key, held_key, holds_due_key) and #due_holds(holds_due_key, now) == 0 then
  held = redis.call('HMGET', held_key, unpack(usage_keys))
else
  local sums = read_held(hold_key, held_key, holds_due_key, now)
  for i, usage in ipairs(usage_keys) do
    held[i] = sums[usage] and integer(sums[usage]) or false
  end
end
return reply({ consumed = redis.call('HMGET', use_key, unpack(usage_keys)), held = held })
