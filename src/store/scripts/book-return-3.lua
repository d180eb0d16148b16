#!lua
-- Books a return of goods of a sold calculation, and gives back the limits and grants of which nothing stays.
--   KEYS[1]  calculation   KEYS[2]  returns   KEYS[3]  use
--   ARGV[1]  returnId                  ARGV[2]  the return as text
--   ARGV[3]  number of returns that it was computed with
--   ARGV[4]  … usageKey, units to give back
-- Returns one of
--   { 'booked', 1 when its costs are to be counted }
--   { 'known', the return that stands under the ID, 1 when its event may still be due, 1 when its costs are to be counted }
--   { 'changed' }  other returns were booked meanwhile: compute it again
--   { 'moved', member, number of counters that this one may not have got yet }  the member was merged into it: move the
--       calculation there first
--   { 'gone' }     nothing is kept of the sale
-- The hash of returns has `r:returnId`, when it was booked (ms), its number and the return; `d:returnId` while its event is due, 1 when its costs are to be counted;
-- and `n`, their number.
--- @include "clock"
--- @include "counters"
--- @include "give-back"

local moved = redis.call('HGET', KEYS[3], '!moved')
if moved then
  return { 'moved', moved, redis.call('HLEN', KEYS[3]) - 1 }
end
local known = redis.call('HGET', KEYS[2], 'r:' .. ARGV[1])
if known then
  local due = redis.call('HGET', KEYS[2], 'd:' .. ARGV[1])
  return { 'known', known, due and 1 or 0, tonumber(due or 0) }
end
if redis.call('HGET', KEYS[1], 'state') ~= 'sold' then
  return { 'gone' }
end
if tonumber(redis.call('HGET', KEYS[2], 'n') or 0) ~= tonumber(ARGV[3]) then
  return { 'changed' }
end

-- A sale that a later event has taken back is out of the costs. Earlier versions wrote 1 for a return too; of a sale that no other
-- event came for it can only be that.
local undone = redis.call('HGET', KEYS[1], 'undone')
local is_taken_back = undone and undone ~= 'return' and redis.call('HEXISTS', KEYS[1], 'conflicts') == 1
local counts = is_taken_back and 0 or 1

-- Everything is decided; from here on only writes.
if not is_taken_back then
  -- Such an event does not take the sale out of the costs a second time.
  redis.call('HSET', KEYS[1], 'undone', 'return')
end
local number = redis.call('HINCRBY', KEYS[2], 'n', 1)
local booked = integer(now_ms()) .. ' ' .. number .. ' ' .. ARGV[2]
redis.call('HSET', KEYS[2], 'r:' .. ARGV[1], booked, 'd:' .. ARGV[1], counts)
redis.call('PEXPIRE', KEYS[2], math.max(1, redis.call('PTTL', KEYS[1])))
for at = 4, #ARGV, 2 do
  give_back(KEYS[3], ARGV[at], tonumber(ARGV[at + 1]))
end
return { 'booked', counts }
