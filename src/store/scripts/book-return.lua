#!lua
-- Books a return of goods of a sold calculation with its event, and gives back the limits and grants of which nothing stays.
-- The hash of returns has `r:returnId`, when it was booked (ms), its number and the return; `d:returnId` until all that follows is done, a sum of
-- 1 where its costs are to be counted and 2 where its event is in the stream already; and `n`, their number.
--- @include "clock"
--- @include "event"
--- @include "give-back"
--- @include "vouchers"
--- @declared "sales"

local moved = redis.call('HGET', use_key, '!moved')
if moved then
  return reply({ outcome = 'moved', into = moved, counters = redis.call('HLEN', use_key) - 1 })
end
local known = redis.call('HGET', returns_key, 'r:' .. return_id)
if known then
  local due = tonumber(redis.call('HGET', returns_key, 'd:' .. return_id))
  return reply({ outcome = 'known', booked = known, is_due = due, owes_costs = due and due % 2 == 1, owes_event = due and due < 2 })
end
local state, sale = unpack(redis.call('HMGET', calculation_key, 'state', 'sale'))
if state ~= 'sold' then
  return reply({ outcome = 'gone' })
end
-- A person may have decided for the other outcome since, or another return was booked.
if sale ~= sale_read or tonumber(redis.call('HGET', returns_key, 'n') or 0) ~= tonumber(count) then
  return reply({ outcome = 'changed' })
end

-- Earlier versions took a sale out of the costs by a later event, with the mark 1. They wrote 1 for a return too; of a sale that no
-- other event came for it can only be that.
local undone = redis.call('HGET', calculation_key, 'undone')
local owes_costs = undone ~= '1' or redis.call('HEXISTS', calculation_key, 'conflicts') == 0

-- Everything is decided; from here on only writes.
local number = redis.call('HINCRBY', returns_key, 'n', 1)
local now = now_ms()
local is_appended = append_event(events_key, retention_ms, now, event)
local stored = integer(now) .. ' ' .. number .. ' ' .. booked
redis.call('HSET', returns_key, 'r:' .. return_id, stored, 'd:' .. return_id, (owes_costs and 1 or 0) + (is_appended and 2 or 0))
redis.call('PEXPIRE', returns_key, math.max(1, redis.call('PTTL', calculation_key)))
for at = 1, #given_back, 2 do
  local usage, units = given_back[at], tonumber(given_back[at + 1])
  book_voucher_use(vouchers_key, usage, now, -give_back(use_key, usage, units))
end
return reply({ outcome = 'booked', owes_costs = owes_costs, owes_event = not is_appended, at_ms = now })
