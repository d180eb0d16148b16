#!lua
-- Books the outcome of a calculation: consumes or releases its hold. Its event is appended in the same step.
--- @include "booking"
--- @include "clock"
--- @include "event"
--- @include "holds"
--- @include "sold"
--- @include "vouchers"
--- @declared "sales"

local moved = redis.call('HGET', use_key, '!moved')
if moved then
  return reply({ outcome = 'moved', into = moved })
end
local now = now_ms()
local state, sale, fp, deadline, uses, late, over_redeemed, event_due, status, at, sold_at, common, common_due = unpack(
  redis.call('HMGET', calculation_key,
  'state', 'sale', 'fp', 'deadline', 'holds', 'late', 'over', 'event', 'status', 'at', 'soldAt', 'common', 'commonDue'))
local is_claimable = redis.call('EXISTS', answer_key) == 0

if fp and ((at or '') ~= answered_read or (sale or '') ~= sale_read or state ~= state_read) then
  return reply({ outcome = 'changed' })
end
if sale == outcome and not fp then
  return reply({ outcome = 'unknown' })
end
if sale == outcome then
  return reply({
    outcome = 'duplicate',
    is_late = late == '1',
    over_redeemed = over_redeemed,
    event_due = event_due == '2' and 'count' or event_due and 'event',
    is_claimable = is_claimable,
    common_due = common_due,
    booked_at_ms = sold_at,
  })
end
if now > tonumber(deadline_ms) then
  return reply({ outcome = 'too_late' })
end
if sale then
  -- Only the first event that says otherwise is told. `untold` stands until the caller has appended it.
  redis.call('HINCRBY', calculation_key, 'conflicts', 1)
  local is_new = redis.call('HSETNX', calculation_key, 'second', outcome) == 1
  local is_owed = is_new or redis.call('HEXISTS', calculation_key, 'untold') == 1
  local is_told = not is_owed or append_event(events_key, retention_ms, now, event)
  if not is_told then
    redis.call('HSET', calculation_key, 'untold', 1)
  end
  if is_new and consumes and status == 'applied' and redis.call('HEXISTS', calculation_key, 'a0') == 0 then
    -- Should a person decide for it, goods of it can come back long after the answer is forgotten.
    keep_answer(calculation_key, answer_key)
  end
  return reply({ outcome = 'conflict', is_told = is_told, is_new = is_new, booked_at_ms = now })
end

-- Everything is decided; from here on only writes.
redis.call('HSET', calculation_key, 'state', 'sold', 'sale', outcome, 'soldAt', integer(now))
for _, key in ipairs({ calculation_key, unpack(others) }) do
  redis.call('PEXPIRE', key, fp and kept_ms or retention_ms)
end
if not fp then
  return reply({ outcome = 'unknown' })
end
if consumes and status == 'applied' then
  keep_answer(calculation_key, answer_key)
end

-- The hold itself must still exist: a script may have removed it while the clock was ahead, and its units may be taken.
local is_covered = state == 'open' and tonumber(deadline) > now
if is_covered and uses then
  is_covered = is_live(redis.call('HGET', hold_key, calculation_id), now)
end
local over = 0
drop_holds(hold_key, held_key, holds_due_key, { calculation_id })
if consumes and uses then
  local held_units = not is_covered and end_due_holds(hold_key, held_key, holds_due_key, now)
  over = book_uses(use_key, uses, held_units, now, tonumber(retention_ms))
  each_use(uses, function(usage, units)
    book_voucher_use(vouchers_key, usage, now, units)
  end)
end
local ending = common and (consumes and 'consume' or 'release')
if ending then
  redis.call('HSET', calculation_key, 'commonDue', ending)
end
local facts = ',"late":' .. tostring(not is_covered) .. ',"overRedeemed":' .. integer(over)
-- Units past a limit over all members are known only when its counter has been told, so such an event is appended after it.
local is_told = not common and append_event(events_key, retention_ms, now, event, facts)
-- Until the sale is counted; where 2 stands its event is appended.
redis.call('HSET', calculation_key, 'event', is_told and 2 or 1)
if not is_covered then
  redis.call('HSET', calculation_key, 'late', 1, 'over', over)
end
return reply({
  outcome = 'recorded',
  is_late = not is_covered,
  over_redeemed = over,
  event_due = is_told and 'count' or 'event',
  is_claimable = is_claimable,
  common_due = ending,
  booked_at_ms = now,
})
