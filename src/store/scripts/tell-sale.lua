#!lua
-- Appends the event of a sale that was booked without it, once: by an older version, or before the calculation was answered.
--- @include "clock"
--- @include "event"
--- @declared "sales"

if redis.call('HGET', calculation_key, 'event') == '1' then
  redis.call('HSET', calculation_key, 'event', 2)
  append_event(events_key, retention_ms, now_ms(), event, '', tonumber(sold_at_ms))
end
