#!lua
-- Erases a member and the ends of its grants, with its event. Its other keys, and its calculations, follow.
--- @include "clock"
--- @include "erasing"
--- @include "event"
--- @declared "members"

for _, name in ipairs(grants_due_key and names or {}) do
  redis.call('ZREM', grants_due_key, name)
end
if redis.call('UNLINK', member_key) == 0 then
  return reply({ was_stored = false, is_untold = redis.call('GET', erasing_key) == '1' })
end
local mark = mark_erasure(erasing_key, retention_ms, append_event(events_key, retention_ms, now_ms(), event))
return reply({ was_stored = true, is_untold = mark == '1' })
