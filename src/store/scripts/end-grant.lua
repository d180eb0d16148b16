#!lua
-- Notes that a grant has ended, with its event, or when it is to be looked at again; unless it was changed since it was found.
--- @include "clock"
--- @include "event"
--- @declared "members"

local noted = redis.call('ZSCORE', grants_due_key, name)
if not noted or tonumber(noted) ~= tonumber(ends_ms) then
  return false
end
if later_ms ~= '' then
  redis.call('ZADD', grants_due_key, later_ms, name)
else
  redis.call('ZREM', grants_due_key, name)
  append_event(events_key, retention_ms, now_ms(), event)
end
return true
