#!lua
-- Ends the hold of a calculation in the counter of a limit over all members. Safe to repeat.
--   KEYS[1]  use   KEYS[2]  hold   KEYS[3]  held   KEYS[4]  holdsDue   KEYS[5]  unconfirmed   KEYS[6]  settled
--   ARGV[1]  calculationId             ARGV[2]  its member
--   ARGV[3]  its use: `usageKey=units/limit`
--   ARGV[4]  `consume` by a sale, `release`, or `lapse`: release it if its call is over and nobody has confirmed it
--   ARGV[5]  retention (ms)
-- Returns { units held that were given back or consumed 0|1, over-redeemed units }.
--- @include "clock"
--- @include "holds"
--- @include "periods"
--- @include "counters"
--- @include "consumption"
--- @include "booking"
--- @include "common"

local now = now_ms()
local open_call = ARGV[2] .. ' ' .. ARGV[1]
if ARGV[4] == 'lapse' then
  -- A repetition of the call may have held the units anew, or its commit may have been confirmed.
  local over = redis.call('ZSCORE', KEYS[5], open_call)
  if not over or tonumber(over) > now then
    return { 0, 0 }
  end
end
redis.call('ZREM', KEYS[5], open_call)
local is_held = is_live(redis.call('HGET', KEYS[2], ARGV[1]), now)
if ARGV[4] ~= 'consume' then
  drop_holds(KEYS[2], KEYS[3], KEYS[4], { ARGV[1] })
  return { is_held and 1 or 0, 0 }
end
if not settle_once(KEYS[6], ARGV[1], now, tonumber(ARGV[5])) then
  return { 0, 0 }
end
drop_holds(KEYS[2], KEYS[3], KEYS[4], { ARGV[1] })
local held_units = not is_held and end_due_holds(KEYS[2], KEYS[3], KEYS[4], now)
local over = book_uses(KEYS[1], ARGV[3], held_units, now, tonumber(ARGV[5]))
-- The pace of a campaign is counted from its first unit on. Written after the units, whose period gives a new hash its end.
redis.call('HSETNX', KEYS[1], string.match(ARGV[3], '^(%S+)=') .. '!since', integer(now))
return { is_held and 1 or 0, over }
