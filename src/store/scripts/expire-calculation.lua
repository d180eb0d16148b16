#!lua
-- Ends a calculation that was never sold, once its hold time is over, and appends its event.
-- In the slot of a merged member it ends nothing, because the calculation may be copied already.
-- The mark of an event still to be appended is when it was given to a caller; where an older version wrote 1, that is long ago.
-- It is a field of its own: a late sale, which may come before the event of the expiry is appended, has its own mark.
--- @include "clock"
--- @include "event"
--- @include "holds"
--- @declared "calculations"

local state, deadline, uses, common, at, expiry_event, common_due, release, event_due, untold = unpack(redis.call('HMGET', calculation_key,
  'state', 'deadline', 'holds', 'common', 'at', 'expiryEvent', 'commonDue', 'release', 'event', 'untold'))
if not state then
  return reply({ outcome = 'gone' })
end
local moved = redis.call('HGET', use_key, '!moved')
if moved then
  return reply({ outcome = 'moved', into = moved })
end
local is_due = common_due or release or event_due or untold
local now = now_ms()
local left = 0
if state == 'open' then
  left = tonumber(deadline) - now
elseif state ~= 'expired' or not expiry_event then
  return reply({ outcome = 'ended', is_due = is_due })
else
  left = tonumber(expiry_event) + tonumber(appended_ms) - now
  -- More would be left after a clock went back.
  left = left <= tonumber(appended_ms) and left or 0
end
if left > 0 then
  return reply({ outcome = 'not_due', left_ms = left, is_due = is_due })
end
if answered_read ~= at then
  return reply({ outcome = 'read_first' })
end

-- Everything is decided; from here on only writes.
if state == 'open' then
  redis.call('HSET', calculation_key, 'state', 'expired')
  drop_holds(hold_key, held_key, holds_due_key, { calculation_id })
  if common then
    redis.call('HSET', calculation_key, 'commonDue', 'release')
    is_due = true
  end
end
local is_told = append_event(events_key, retention_ms, now, event)
if is_told then
  redis.call('HDEL', calculation_key, 'expiryEvent')
else
  redis.call('HSET', calculation_key, 'expiryEvent', integer(now))
end
return reply({ outcome = 'expired', had_hold = uses or common, is_told = is_told, is_due = is_due })
