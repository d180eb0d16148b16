#!lua flags=no-writes
-- Reads the counter of a limit over all members, as of one instant.
--   KEYS[1]  use   KEYS[2]  hold   KEYS[3]  held   KEYS[4]  holdsDue   KEYS[5]  unconfirmed
--   ARGV[1]  usage key
--   ARGV[2]  … calculations whose own holds do not stand in the way of the caller
-- Returns { units consumed, units past the limit, units held by others, units held by those calculations,
--   `member calculationId` of a few holds whose calls are over and whose commits nobody has confirmed,
--   when the first unit was consumed (ms), or '' }.
--- @include "clock"
--- @include "holds"
--- @include "counters"
--- @include "snapshot"
--- @include "common"

local now, usage = now_ms(), ARGV[1]
local own = {}
local held = has_few(KEYS[2]) and count_holds(KEYS[2], now, function() end) or read_held(KEYS[2], KEYS[3], KEYS[4], now)
for number = 2, #ARGV do
  local hold = redis.call('HGET', KEYS[2], ARGV[number])
  add_units(own, is_live(hold, now) and hold, 1)
end
local over = tonumber(redis.call('HGET', KEYS[1], usage .. '!over') or 0)
local mine = own[usage] or 0
local since = redis.call('HGET', KEYS[1], usage .. '!since') or ''
return { consumed_units(KEYS[1], usage), over, math.max(0, (held[usage] or 0) - mine), mine, overdue(KEYS[5], now), since }
