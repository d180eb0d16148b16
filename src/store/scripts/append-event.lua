#!lua
-- Appends an event to a stream, and removes what is older than the retention. Both go by Redis' clock: a process whose own
-- clock is ahead would remove the events of all.
--- @include "clock"
--- @include "event"
--- @declared "environment"

append_event(events_key, retention_ms, now_ms(), event, '', tonumber(at_ms))
