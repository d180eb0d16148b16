#!lua
-- Tells that somebody is erased of whom only calculations were stored, while one of those that the caller has found is there, unless the mark
-- says that an erasure has told it. Who comes when another erasure is over finds neither.
--- @include "clock"
--- @include "erasing"
--- @include "event"
--- @declared "members"

local mark = redis.call('GET', erasing_key)
if not mark and redis.call('EXISTS', unpack(others)) > 0 then
  mark = mark_erasure(erasing_key, retention_ms, append_event(events_key, retention_ms, now_ms(), event))
end
return mark == '1'
