#!lua flags=no-writes
-- Reads the counter of a limit over all members, as of one instant.
--   KEYS[1]  use   KEYS[2]  hold   KEYS[3]  held   KEYS[4]  holdsDue   KEYS[5]  unconfirmed
--   ARGV[1]  usageKey
--   ARGV[2]  … wanted: calculations whose own holds do not stand in the way of the caller
-- Returns { consumed, overRedeemed, held, own, overdue, sinceMs }: units consumed and past the limit; held by others, and by those
-- calculations; `member calculationId` of a few holds whose calls are over and whose commits nobody has confirmed; when the
-- first unit was consumed, or ''
--- @include "clock"
--- @include "holds"
--- @include "counters"
--- @include "snapshot"
--- @include "common"
local use_key, hold_key, held_key, holds_due_key, unconfirmed_key = unpack(KEYS)

local now, usage = now_ms(), ARGV[1]
local own = {}
local held = has_few(hold_key) and count_holds(hold_key, now, function() end) or read_held(hold_key, held_key, holds_due_key, now)
for number = 2, #ARGV do
  local hold = redis.call('HGET', hold_key, ARGV[number])
  add_units(own, is_live(hold, now) and hold, 1)
end
local over = tonumber(redis.call('HGET', use_key, usage .. '!over') or 0)
local mine = own[usage] or 0
local since = redis.call('HGET', use_key, usage .. '!since') or ''
return { consumed_units(use_key, usage), over, math.max(0, (held[usage] or 0) - mine), mine, overdue(unconfirmed_key, now), since }
