#!lua
-- Books a return of goods of a sold calculation with its event, and gives back the limits and grants of which nothing stays.
--   KEYS[1]  calculation   KEYS[2]  returns   KEYS[3]  use   KEYS[4]  vouchers
--   KEYS[5]  events: of the calculation; on a cluster a key that nothing has
--   ARGV[1]  returnId                  ARGV[2]  booked: the return as text
--   ARGV[3]  count: the number of returns that it was computed with
--   ARGV[4]  event (event.include.lua), or '' where the caller appends it
--   ARGV[5]  retentionMs
--   ARGV[6]  … givenBack: usageKey, units to give back, …
-- Returns one of
--   { 'booked', isCounted 0|1, isTold 0|1, atMs }  isCounted: its costs are to be counted; isTold: its event is appended; atMs: when it was
--       booked
--   { 'known', booked, isDue 0|1, isCounted 0|1, isTold 0|1 }  booked: the return that stands under the ID; isDue: a part of it may still be to do
--   { 'changed' }  other returns were booked meanwhile: compute it again
--   { 'moved', into, counters }        the member was merged into this one, which may not have got so many counters yet: move the
--       calculation there first
--   { 'gone' }     nothing is kept of the sale
-- The hash of returns has `r:returnId`, when it was booked (ms), its number and the return; `d:returnId` while a part of it is to do: 1 added when its costs are to be counted, and 2 when its event is appended;
-- and `n`, their number.
--- @include "clock"
--- @include "instant"
--- @include "event"
--- @include "counters"
--- @include "give-back"
--- @include "vouchers"
local calculation_key, returns_key, use_key, vouchers_key, events_key = unpack(KEYS)
local return_id, booked, count, event, retention_ms = unpack(ARGV, 1, 5)

local moved = redis.call('HGET', use_key, '!moved')
if moved then
  return { 'moved', moved, redis.call('HLEN', use_key) - 1 }
end
local known = redis.call('HGET', returns_key, 'r:' .. return_id)
if known then
  local due = redis.call('HGET', returns_key, 'd:' .. return_id)
  local left = tonumber(due or 0)
  return { 'known', known, due and 1 or 0, left % 2, left >= 2 and 1 or 0 }
end
if redis.call('HGET', calculation_key, 'state') ~= 'sold' then
  return { 'gone' }
end
if tonumber(redis.call('HGET', returns_key, 'n') or 0) ~= tonumber(count) then
  return { 'changed' }
end

-- Earlier versions took a sale out of the costs by a later event, with the mark 1. They wrote 1 for a return too; of a sale that no
-- other event came for it can only be that.
local undone = redis.call('HGET', calculation_key, 'undone')
local counts = undone == '1' and redis.call('HEXISTS', calculation_key, 'conflicts') == 1 and 0 or 1

-- Everything is decided; from here on only writes.
local number = redis.call('HINCRBY', returns_key, 'n', 1)
local now = now_ms()
local is_told = append_event(events_key, retention_ms, now, event) and 1 or 0
local stored = integer(now) .. ' ' .. number .. ' ' .. booked
redis.call('HSET', returns_key, 'r:' .. return_id, stored, 'd:' .. return_id, counts + 2 * is_told)
redis.call('PEXPIRE', returns_key, math.max(1, redis.call('PTTL', calculation_key)))
for at = 6, #ARGV, 2 do
  local given = give_back(use_key, ARGV[at], tonumber(ARGV[at + 1]))
  book_voucher_use(vouchers_key, ARGV[at], now, -given)
end
return { 'booked', counts, is_told, integer(now) }
