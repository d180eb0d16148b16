#!lua
-- Decides between the two outcomes that were reported of a calculation. What the decision changes of limits and grants is booked now, and its
-- event is appended in the same step. In the record `first` is then the outcome that stood before, and `decisionDue` stands until all that
-- follows is done.
--- @include "booking"
--- @include "clock"
--- @include "event"
--- @include "give-back"
--- @include "holds"
--- @include "vouchers"
--- @declared "sales"

local moved = redis.call('HGET', use_key, '!moved')
if moved then
  return reply({ outcome = 'moved', into = moved, counters = redis.call('HLEN', use_key) - 1 })
end
local calc = redis.call('HMGET', calculation_key, 'fp', 'sale', 'second', 'decided', 'holds', 'common', 'commonDue', 'event', 'late', 'over')
local fp, first, second, decided, uses, common, common_due, event_due, late, over_before = unpack(calc, 1, 10)
if not fp or not first or not second then
  return reply({ outcome = 'none' })
end
if decided then
  return reply({ outcome = 'known', decided = decided })
end
local is_second = outcome == 'second'
if is_second and tonumber(redis.call('HGET', returns_key, 'n') or 0) > 0 then
  return reply({ outcome = 'returned' })
end
if is_second and common_due then
  return reply({ outcome = 'common_due' })
end
if second ~= second_read then
  return reply({ outcome = 'changed' })
end

-- Everything is decided; from here on only writes.
local now = now_ms()
redis.call('HSET', calculation_key, 'decided', outcome, 'decidedAt', integer(now), 'decidedBy', who, 'decidedWhy', reason)
if event_due then
  -- Nobody has counted the first outcome, and after the decision nobody will.
  redis.call('HDEL', calculation_key, 'event')
  redis.call('HSET', calculation_key, 'undone', 1, 'countedBy', '-')
end
-- Until all that follows is done; where 2 stands the event is appended. Units past a limit over all members are known only when its counter
-- has been told, so such an event is appended after it.
local function tell(over, waits_for_counters)
  local facts = ',"late":' .. tostring(late == '1') .. ',"overRedeemed":' .. integer(over)
  local is_told = not waits_for_counters and append_event(events_key, retention_ms, now, event, facts)
  redis.call('HSET', calculation_key, 'decisionDue', is_told and 2 or 1)
end
if not is_second then
  tell(tonumber(over_before or 0), common_due)
  return reply({ outcome = 'resolved' })
end
redis.call('HSET', calculation_key, 'sale', second, 'first', first)
local function consumes(told)
  return string.find(told, '["applied"', 1, true) == 1
end
local over = 0
if consumes(first) and not consumes(second) then
  each_use(uses or '', function(usage, units)
    book_voucher_use(vouchers_key, usage, now, -give_back(use_key, usage, units))
  end)
  if common then
    redis.call('HSET', calculation_key, 'commonDue', 'give_back')
  end
elseif consumes(second) and not consumes(first) then
  if uses then
    over = book_uses(use_key, uses, end_due_holds(hold_key, held_key, holds_due_key, now), now, tonumber(retention_ms))
    each_use(uses, function(usage, units)
      book_voucher_use(vouchers_key, usage, now, units)
    end)
  end
  if common then
    redis.call('HSET', calculation_key, 'commonDue', 'consume')
  end
end
if consumes(first) ~= consumes(second) then
  redis.call('HSET', calculation_key, 'over', over)
  tell(over, common)
else
  tell(tonumber(over_before or 0), false)
end
for _, key in ipairs({ calculation_key, unpack(others) }) do
  redis.call('PEXPIRE', key, kept_ms, 'GT')
end
return reply({ outcome = 'resolved' })
