#!lua
-- Ends the hold of a calculation in the counter of a limit over all members. Safe to repeat.
--- @include "booking"
--- @include "clock"
--- @include "common"
--- @include "holds"
--- @declared "common-limits"

local now = now_ms()
local open_call = member .. ' ' .. calculation_id
local hold = redis.call('HGET', hold_key, calculation_id)
if ending == 'lapse' then
  -- A repetition of the call may have held the units anew, or its commit may have been confirmed.
  local over = redis.call('ZSCORE', unconfirmed_key, open_call)
  if not over or tonumber(over) > now then
    return 0
  end
  if is_live(hold, tonumber(over) + tonumber(hold_ms)) then
    -- A later call of the same ID has held anew, for another member: this one's hold would end sooner.
    redis.call('ZREM', unconfirmed_key, open_call)
    return 0
  end
end
redis.call('ZREM', unconfirmed_key, open_call)
local is_held = is_live(hold, now)
if ending ~= 'consume' then
  drop_holds(hold_key, held_key, holds_due_key, { calculation_id })
  return 0
end
if not settle_once(settled_key, calculation_id, now, tonumber(retention_ms)) then
  return 0
end
drop_holds(hold_key, held_key, holds_due_key, { calculation_id })
local held_units = not is_held and end_due_holds(hold_key, held_key, holds_due_key, now)
local over = book_uses(use_key, use, held_units, now, tonumber(retention_ms))
-- The pace of a campaign is counted from its first unit on. Written after the units, whose period gives a new hash its end.
redis.call('HSETNX', use_key, string.match(use, '^(%S+)=') .. '!since', integer(now))
return over
