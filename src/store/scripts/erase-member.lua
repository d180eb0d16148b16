#!lua
-- Erases a member and the ends of its grants, with its event. Its other keys, and its calculations, follow.
--- @include "clock"
--- @include "event"
--- @declared "members"

for _, name in ipairs(names) do
  redis.call('ZREM', grants_due_key, name)
end
if redis.call('UNLINK', member_key) == 0 then
  return false
end
append_event(events_key, retention_ms, now_ms(), event)
return true
