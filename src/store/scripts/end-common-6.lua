#!lua
-- Ends the hold of a calculation in the counter of a limit over all members. Safe to repeat.
--   KEYS[1]  use   KEYS[2]  hold   KEYS[3]  held   KEYS[4]  holdsDue   KEYS[5]  unconfirmed   KEYS[6]  settled
--   ARGV[1]  calculationId             ARGV[2]  member
--   ARGV[3]  use: `usageKey=units/limit`
--   ARGV[4]  ending: `consume` by a sale, `release`, or `lapse`: release it if its call is over and nobody has confirmed it
--   ARGV[5]  retentionMs
-- Returns { wasHeld 0|1, overRedeemed }: whether held units were given back or consumed, and units past the limit
--- @include "clock"
--- @include "holds"
--- @include "periods"
--- @include "counters"
--- @include "consumption"
--- @include "booking"
--- @include "common"
local use_key, hold_key, held_key, holds_due_key, unconfirmed_key, settled_key = unpack(KEYS)
local calculation_id, member, use, ending, retention_ms = unpack(ARGV)

local now = now_ms()
local open_call = member .. ' ' .. calculation_id
if ending == 'lapse' then
  -- A repetition of the call may have held the units anew, or its commit may have been confirmed.
  local over = redis.call('ZSCORE', unconfirmed_key, open_call)
  if not over or tonumber(over) > now then
    return { 0, 0 }
  end
end
redis.call('ZREM', unconfirmed_key, open_call)
local is_held = is_live(redis.call('HGET', hold_key, calculation_id), now)
if ending ~= 'consume' then
  drop_holds(hold_key, held_key, holds_due_key, { calculation_id })
  return { is_held and 1 or 0, 0 }
end
if not settle_once(settled_key, calculation_id, now, tonumber(retention_ms)) then
  return { 0, 0 }
end
drop_holds(hold_key, held_key, holds_due_key, { calculation_id })
local held_units = not is_held and end_due_holds(hold_key, held_key, holds_due_key, now)
local over = book_uses(use_key, use, held_units, now, tonumber(retention_ms))
-- The pace of a campaign is counted from its first unit on. Written after the units, whose period gives a new hash its end.
redis.call('HSETNX', use_key, string.match(use, '^(%S+)=') .. '!since', integer(now))
return { is_held and 1 or 0, over }
