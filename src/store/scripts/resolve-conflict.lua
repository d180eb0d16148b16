#!lua
-- Decides between the two outcomes that were reported of a calculation. What the decision changes of limits and grants is booked now.
-- In the record `first` is then the outcome that stood before, and `decisionDue` stands until all that follows is done.
--- @include "booking"
--- @include "clock"
--- @include "give-back"
--- @include "holds"
--- @include "vouchers"
--- @declared "sales"

local moved = redis.call('HGET', use_key, '!moved')
if moved then
  return reply({ outcome = 'moved', into = moved, counters = redis.call('HLEN', use_key) - 1 })
end
local calc = redis.call('HMGET', calculation_key, 'fp', 'sale', 'second', 'decided', 'holds', 'common', 'commonDue', 'event')
local committed, first, second, decided, uses, common, due, is_untold = unpack(calc, 1, 8)
if not committed or not first or not second then
  return reply({ outcome = 'none' })
end
if decided then
  return reply({ outcome = 'known', decided = decided })
end
local is_second = outcome == 'second'
if is_second and tonumber(redis.call('HGET', returns_key, 'n') or 0) > 0 then
  return reply({ outcome = 'returned' })
end
if is_second and due then
  return reply({ outcome = 'due' })
end

-- Everything is decided; from here on only writes.
local now = now_ms()
redis.call('HSET', calculation_key, 'decided', outcome, 'decidedAt', integer(now), 'decidedBy', who, 'decidedWhy', reason, 'decisionDue', 1)
if is_untold then
  -- Nobody has counted the first outcome, and after the decision nobody will.
  redis.call('HDEL', calculation_key, 'event')
  redis.call('HSET', calculation_key, 'undone', 1)
end
if not is_second then
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
end
for _, key in ipairs({ calculation_key, unpack(others) }) do
  redis.call('PEXPIRE', key, kept_ms, 'GT')
end
return reply({ outcome = 'resolved' })
