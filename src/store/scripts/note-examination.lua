#!lua
-- Notes when calculations are looked at for expiry, by Redis' clock.
--- @include "clock"
--- @include "note-examination"
--- @declared "calculations"

local now = now_ms()
for _, calculation_id in ipairs(calculation_ids) do
  if call_over_ms == '' then
    redis.call('ZADD', examinations_key, 'XX', integer(now + tonumber(look_ms)), calculation_id)
  else
    note_examination(examinations_key, now, look_ms, call_over_ms, calculation_id)
  end
end
