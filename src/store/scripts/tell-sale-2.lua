#!lua
-- Appends the event of a sale that was booked without it, once: by an older version, or before the calculation was answered.
--   KEYS[1]  calculation   KEYS[2]  events
--   ARGV[1]  event         ARGV[2]  retentionMs
--   ARGV[3]  soldAtMs: when it was booked, or '' for now
-- Returns isTold: 1 when it was appended now, 0 when somebody else had
--- @include "clock"
--- @include "instant"
--- @include "event"
local calculation_key, events_key = unpack(KEYS)
local event, retention_ms, sold_at_ms = unpack(ARGV)

if redis.call('HGET', calculation_key, 'event') ~= '1' then
  return 0
end
redis.call('HSET', calculation_key, 'event', 2)
append_event(events_key, retention_ms, now_ms(), event, '', tonumber(sold_at_ms))
return 1
