#!lua
-- Holds units of a limit over all members for a calculation that is about to be committed. Safe to repeat.
--   KEYS[1]  use   KEYS[2]  hold   KEYS[3]  held   KEYS[4]  holdsDue   KEYS[5]  unconfirmed   KEYS[6]  settled
--   ARGV[1]  calculationId             ARGV[2]  its member
--   ARGV[3]  usage key                 ARGV[4]  units          ARGV[5]  limit
--   ARGV[6]  calculationId whose hold goes over to this one with the commit, or ''
--   ARGV[7]  milliseconds until the call is over
--   ARGV[8]  how long the hold lasts (ms)
-- Returns one of
--   { 'held' }
--   { 'lent', units left }  held; all of the units are there only if the commit ends that other calculation
--   { 'short', units left, `member calculationId` of unconfirmed holds whose calls are over … }
-- Units left are those without the units of that other calculation.
--- @include "clock"
--- @include "holds"
--- @include "counters"
--- @include "common"

local now, usage, units = now_ms(), ARGV[3], tonumber(ARGV[4])
if redis.call('ZSCORE', KEYS[6], ARGV[1]) then
  -- It is sold already, so its commit takes no hold.
  return { 'held' }
end
local held_units = end_due_holds(KEYS[2], KEYS[3], KEYS[4], now)
local function units_of(id)
  local sums, hold = {}, id ~= '' and redis.call('HGET', KEYS[2], id)
  add_units(sums, is_live(hold, now) and hold, 1)
  return sums[usage] or 0
end
local own = units_of(ARGV[1])
local left = tonumber(ARGV[5]) - consumed_units(KEYS[1], usage) - held_units(usage) + own
local lent = ARGV[6] ~= ARGV[1] and units_of(ARGV[6]) or 0
if units > left + lent then
  return { 'short', math.max(0, left), overdue(KEYS[5], now) }
end

-- Everything is decided; from here on only writes. A duplicate of the call may hold less or more: until one of them is
-- committed the hold covers both.
drop_holds(KEYS[2], KEYS[3], KEYS[4], { ARGV[1] })
local uses = usage .. '=' .. integer(math.max(units, own)) .. '/' .. ARGV[5]
local lasts = tonumber(ARGV[7]) + tonumber(ARGV[8])
put_hold(KEYS[2], KEYS[3], KEYS[4], ARGV[1], integer(now + lasts), uses, integer(lasts), now)
redis.call('ZADD', KEYS[5], 'GT', integer(now + tonumber(ARGV[7])), ARGV[2] .. ' ' .. ARGV[1])
redis.call('PEXPIRE', KEYS[5], integer(lasts))
if units > left then
  return { 'lent', math.max(0, left) }
end
return { 'held' }
