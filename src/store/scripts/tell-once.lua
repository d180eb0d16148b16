#!lua
-- Appends the event of a sale or a decision that was booked without it, once: by an older version, before the calculation was answered, or
-- with units over all members. The mark is 1 until then. In the slot of a merged member it does nothing, because the calculation may be
-- copied already, with the mark.
--- @include "clock"
--- @include "event"
--- @declared "sales"

if redis.call('HEXISTS', use_key, '!moved') == 1 then
  return false
end
if redis.call('HGET', calculation_key, mark) == '1' then
  redis.call('HSET', calculation_key, mark, 2)
  append_event(events_key, retention_ms, now_ms(), event, '', tonumber(at_ms))
end
return true
