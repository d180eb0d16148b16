#!lua
-- Notes that the calculation of a hold is committed: the hold stays for the calculation's life. Safe to repeat.
--- @include "clock"
--- @include "holds"
--- @declared "common-limits"

redis.call('ZREM', unconfirmed_key, member .. ' ' .. calculation_id)
local now, hold = now_ms(), redis.call('HGET', hold_key, calculation_id)
if not is_live(hold, now) then
  return
end
local deadline, held_use = string.match(hold, '^(%d+) (.*)$')
if held_use ~= use then
  -- A duplicate of the call wanted more than the one that was committed.
  drop_holds(hold_key, held_key, holds_due_key, { calculation_id })
  put_hold(hold_key, held_key, holds_due_key, calculation_id, deadline, use, integer(tonumber(deadline) - now), now)
end
