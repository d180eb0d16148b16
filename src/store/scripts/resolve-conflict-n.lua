#!lua
-- Decides between the two outcomes that were reported of a calculation. What the decision changes of limits and grants is booked now.
--   KEYS[1]  calculation   KEYS[2]  returns   KEYS[3]  hold   KEYS[4]  use   KEYS[5]  held   KEYS[6]  holdsDue
--   KEYS[7]  vouchers
--   KEYS[8]  … others: keys of the calculation that are kept as its record is (owned-keys.ts)
--   ARGV[1]  outcome: `first` or `second`   ARGV[2]  who decides   ARGV[3]  reason
--   ARGV[4]  retentionMs                    ARGV[5]  keptMs: how long the calculation is kept now at least
-- Returns one of
--   { 'resolved' }
--   { 'known', decided }          it was decided before
--   { 'none' }                    there are no two outcomes of an answered calculation
--   { 'returned' }                goods of the first outcome came back
--   { 'due' }                     counters of all members have not heard of the first outcome yet: tell them first
--   { 'moved', into, counters }   the member was merged into this one, which may not have got so many counters yet: move the
--       calculation there first
-- In the record `first` is then the outcome that stood before, and `decisionDue` stands until all that follows is done.
--- @include "clock"
--- @include "holds"
--- @include "periods"
--- @include "counters"
--- @include "consumption"
--- @include "booking"
--- @include "give-back"
--- @include "vouchers"

local calculation_key, returns_key, hold_key, use_key, held_key, holds_due_key, vouchers_key = unpack(KEYS)
local outcome, who, reason, retention_ms, kept_ms = unpack(ARGV)

local moved = redis.call('HGET', use_key, '!moved')
if moved then
  return { 'moved', moved, redis.call('HLEN', use_key) - 1 }
end
local calc = redis.call('HMGET', calculation_key, 'fp', 'sale', 'second', 'decided', 'holds', 'common', 'commonDue', 'event')
local committed, first, second, decided, uses, common, due, is_untold = unpack(calc, 1, 8)
if not committed or not first or not second then
  return { 'none' }
end
if decided then
  return { 'known', decided }
end
local is_second = outcome == 'second'
if is_second and tonumber(redis.call('HGET', returns_key, 'n') or 0) > 0 then
  return { 'returned' }
end
if is_second and due then
  return { 'due' }
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
  return { 'resolved' }
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
for _, key in ipairs({ calculation_key, unpack(KEYS, 8) }) do
  redis.call('PEXPIRE', key, kept_ms, 'GT')
end
return { 'resolved' }
