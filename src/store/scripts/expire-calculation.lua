#!lua
-- Ends a calculation that was never sold, once its hold time is over, and appends its event.
-- The mark of an event still to be appended is when it was given to a caller; where an older version wrote 1, that is long ago.
-- It is a field of its own: a late sale, which may come before the event of the expiry is appended, has its own mark.
--- @include "clock"
--- @include "event"
--- @include "holds"
--- @declared "calculations"

local state, deadline, uses, answered_at, event_given_at, common, ending, pending_release = unpack(redis.call('HMGET', calculation_key,
  'state', 'deadline', 'holds', 'at', 'expiryEvent', 'common', 'commonDue', 'release'))
if not state then
  return reply({ outcome = 'gone' })
end
local now = now_ms()
local left = 0
if state == 'open' then
  left = tonumber(deadline) - now
elseif state ~= 'expired' or not event_given_at then
  return reply({ outcome = 'ended', common = common, ending = ending, pending_release = pending_release })
else
  left = tonumber(event_given_at) + tonumber(appended_ms) - now
  -- More would be left after a clock went back.
  left = left <= tonumber(appended_ms) and left or 0
end
if left > 0 then
  return reply({ outcome = 'not_due', left_ms = left, pending_release = pending_release })
end
if answered_read ~= answered_at then
  return reply({ outcome = 'due' })
end

-- Everything is decided; from here on only writes.
if state == 'open' then
  redis.call('HSET', calculation_key, 'state', 'expired')
  drop_holds(hold_key, held_key, holds_due_key, { calculation_id })
  if common then
    ending = 'release'
    redis.call('HSET', calculation_key, 'commonDue', ending)
  end
end
local is_told = append_event(events_key, retention_ms, now, event)
if is_told then
  redis.call('HDEL', calculation_key, 'expiryEvent')
else
  redis.call('HSET', calculation_key, 'expiryEvent', integer(now))
end
return reply({
  outcome = 'expired',
  uses = uses,
  common = common,
  ending = ending,
  pending_release = pending_release,
  is_told = is_told,
})
