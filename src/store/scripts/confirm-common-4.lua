#!lua
-- Notes that the calculation of a hold is committed: the hold stays for the calculation's life. Safe to repeat.
--   KEYS[1]  hold   KEYS[2]  held   KEYS[3]  holdsDue   KEYS[4]  unconfirmed
--   ARGV[1]  calculationId             ARGV[2]  member
--   ARGV[3]  use: `usageKey=units/limit`
-- Returns nothing of use.
--- @include "clock"
--- @include "holds"
local hold_key, held_key, holds_due_key, unconfirmed_key = unpack(KEYS)
local calculation_id, member, use = unpack(ARGV)

redis.call('ZREM', unconfirmed_key, member .. ' ' .. calculation_id)
local now, hold = now_ms(), redis.call('HGET', hold_key, calculation_id)
if not is_live(hold, now) then
  return 0
end
local deadline, held_use = string.match(hold, '^(%d+) (.*)$')
if held_use ~= use then
  -- A duplicate of the call wanted more than the one that was committed.
  drop_holds(hold_key, held_key, holds_due_key, { calculation_id })
  put_hold(hold_key, held_key, holds_due_key, calculation_id, deadline, use, integer(tonumber(deadline) - now), now)
end
return 0
