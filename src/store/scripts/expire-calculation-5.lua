#!lua
-- Ends a calculation that was never sold, once its hold time is over, and appends its event.
--   KEYS[1]  calculation   KEYS[2]  hold   KEYS[3]  held   KEYS[4]  holdsDue
--   KEYS[5]  events: of the calculation; on a cluster a key that nothing has
--   ARGV[1]  calculationId   ARGV[2]  appendedMs: how long its event is left to the caller that was given it
--   ARGV[3]  event (event.include.lua), or '' where the caller appends it
--   ARGV[4]  retentionMs
--   ARGV[5]  answeredRead: when the calculation was answered, as the event was made from it; '' only looks, and writes nothing
-- Returns one of
--   { 'due' }        it is to be ended, or its event to be appended: read it, and call again
--   { 'expired', uses, common, ending, pendingRelease, isTold 0|1 }  ended now, or ended before by a caller that has not
--       appended the event in its time; isTold: the event is appended
--   { 'not_due', leftMs, pendingRelease }  of the hold time, or of the time in which another caller appends the event
--   { 'ended', common, ending, pendingRelease }  sold, superseded, expired before, or never committed
-- common: its uses of limits over all members, or ''; ending: how these are still to end, `consume`, `release` or '';
-- pendingRelease: the superseded calculation that it has still to release (calculations.ts), '' where there is none.
-- The mark of an event still to be appended is when it was given to a caller; where an older version wrote 1, that is long ago.
-- It is a field of its own: a late sale, which may come before the event of the expiry
-- is appended, has its own mark.
--- @include "clock"
--- @include "instant"
--- @include "event"
--- @include "holds"
local calculation_key, hold_key, held_key, holds_due_key, events_key = unpack(KEYS)
local calculation_id, appended_ms, event, retention_ms, answered_read = unpack(ARGV)

local calc = redis.call('HMGET', calculation_key, 'state', 'deadline', 'holds', 'at', 'expiryEvent', 'common', 'commonDue', 'release')
local state, common, ending, pending = calc[1], calc[6] or '', calc[7] or '', calc[8] or ''
local now = now_ms()
local left = 0
if state == 'open' then
  left = tonumber(calc[2]) - now
elseif state ~= 'expired' or not calc[5] then
  return { 'ended', common, ending, pending }
else
  left = tonumber(calc[5]) + tonumber(appended_ms) - now
  -- More would be left after a clock went back.
  left = left <= tonumber(appended_ms) and left or 0
end
if left > 0 then
  return { 'not_due', left, pending }
end
if answered_read ~= calc[4] then
  return { 'due' }
end

-- Everything is decided; from here on only writes.
if state == 'open' then
  redis.call('HSET', calculation_key, 'state', 'expired')
  drop_holds(hold_key, held_key, holds_due_key, { calculation_id })
  if common ~= '' then
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
return { 'expired', calc[3] or '', common, ending, pending, is_told and 1 or 0 }
