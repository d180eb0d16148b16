#!lua
-- Appends an event to a stream, and removes what is older than the retention. Both go by Redis' clock: a process whose own
-- clock is ahead would remove the events of all.
--   KEYS[1]  events
--   ARGV[1]  event   ARGV[2]  retentionMs   ARGV[3]  atMs: when it was booked, or '' for now
-- Returns isAppended
--- @include "clock"
--- @include "instant"
--- @include "event"
local events_key = unpack(KEYS)
local event, retention_ms, at_ms = unpack(ARGV)

return append_event(events_key, retention_ms, now_ms(), event, '', tonumber(at_ms)) and 1 or 0
