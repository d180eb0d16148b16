#!lua
-- Books a return of goods of a sold calculation, and gives back the limits and grants of which nothing stays.
--   KEYS[1]  calculation   KEYS[2]  returns   KEYS[3]  use
--   ARGV[1]  returnId                  ARGV[2]  booked: the return as text
--   ARGV[3]  count: the number of returns that it was computed with
--   ARGV[4]  … givenBack: usageKey, units to give back, …
-- Returns one of
--   { 'booked', isCounted 0|1, atMs }  isCounted: its costs are to be counted; atMs: when it was booked
--   { 'known', booked, isDue 0|1, isCounted 0|1 }  booked: the return that stands under the ID; isDue: its event may still be due
--   { 'changed' }  other returns were booked meanwhile: compute it again
--   { 'moved', into, counters }        the member was merged into this one, which may not have got so many counters yet: move the
--       calculation there first
--   { 'gone' }     nothing is kept of the sale
-- The hash of returns has `r:returnId`, when it was booked (ms), its number and the return; `d:returnId` while its event is due, 1 when its costs are to be counted;
-- and `n`, their number.
--- @include "clock"
--- @include "counters"
--- @include "give-back"
local calculation_key, returns_key, use_key = unpack(KEYS)
local return_id, booked, count = unpack(ARGV, 1, 3)

local moved = redis.call('HGET', use_key, '!moved')
if moved then
  return { 'moved', moved, redis.call('HLEN', use_key) - 1 }
end
local known = redis.call('HGET', returns_key, 'r:' .. return_id)
if known then
  local due = redis.call('HGET', returns_key, 'd:' .. return_id)
  return { 'known', known, due and 1 or 0, tonumber(due or 0) }
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
local now = integer(now_ms())
local stored = now .. ' ' .. number .. ' ' .. booked
redis.call('HSET', returns_key, 'r:' .. return_id, stored, 'd:' .. return_id, counts)
redis.call('PEXPIRE', returns_key, math.max(1, redis.call('PTTL', calculation_key)))
for at = 4, #ARGV, 2 do
  give_back(use_key, ARGV[at], tonumber(ARGV[at + 1]))
end
return { 'booked', counts, now }
