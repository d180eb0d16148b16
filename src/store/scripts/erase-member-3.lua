#!lua
-- Erases a member and the ends of its grants, with its event. Its other keys, and its calculations, follow.
--   KEYS[1]  member
--   KEYS[2]  grantsDue   KEYS[3]  events: of the member; on a cluster keys that nothing has
--   ARGV[1]  event (event.include.lua), or '' where the caller appends it
--   ARGV[2]  retentionMs   ARGV[3]  … names: of its grants in grantsDue
-- Returns isErased: 1 when it was stored, 0 when not
--- @include "clock"
--- @include "instant"
--- @include "event"
local member_key, grants_due_key, events_key = unpack(KEYS)
local event, retention_ms = unpack(ARGV, 1, 2)

for at = 3, #ARGV do
  redis.call('ZREM', grants_due_key, ARGV[at])
end
if redis.call('UNLINK', member_key) == 0 then
  return 0
end
append_event(events_key, retention_ms, now_ms(), event)
return 1
