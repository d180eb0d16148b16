#!lua
-- Holds units of a limit over all members for a calculation that is about to be committed. Safe to repeat.
--- @include "clock"
--- @include "common"
--- @include "counters"
--- @include "holds"
--- @declared "common-limits"

local now, wanted = now_ms(), tonumber(units)
if redis.call('ZSCORE', settled_key, calculation_id) then
  -- It is sold already, so its commit takes no hold.
  return reply({ outcome = 'held' })
end
local held_units = end_due_holds(hold_key, held_key, holds_due_key, now)
local function units_of(id)
  local sums, hold = {}, id ~= '' and redis.call('HGET', hold_key, id)
  add_units(sums, is_live(hold, now) and hold, 1)
  return sums[usage_key] or 0
end
local own = units_of(calculation_id)
local left = tonumber(limit) - consumed_units(use_key, usage_key) - held_units(usage_key) + own
local lent = supersedes ~= calculation_id and units_of(supersedes) or 0
if wanted > left + lent then
  return reply({ outcome = 'short', left = math.max(0, left), overdue = overdue(unconfirmed_key, now) })
end

-- Everything is decided; from here on only writes. A duplicate of the call may hold less or more: until one of them is
-- committed the hold covers both.
drop_holds(hold_key, held_key, holds_due_key, { calculation_id })
local uses = usage_key .. '=' .. integer(math.max(wanted, own)) .. '/' .. limit
local lasts = tonumber(call_over_ms) + tonumber(hold_ms)
put_hold(hold_key, held_key, holds_due_key, calculation_id, integer(now + lasts), uses, integer(lasts), now)
redis.call('ZADD', unconfirmed_key, 'GT', integer(now + tonumber(call_over_ms)), member .. ' ' .. calculation_id)
redis.call('PEXPIRE', unconfirmed_key, integer(lasts))
if wanted > left then
  return reply({ outcome = 'lent', left = math.max(0, left) })
end
return reply({ outcome = 'held' })
