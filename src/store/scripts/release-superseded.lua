#!lua
-- Releases a superseded calculation whose member is not its successor's, unless the successor may not release it. Safe to repeat.
-- In the slot of a merged member it does nothing, because the calculation may be copied already.
--- @include "supersede"
--- @declared "calculations"

local moved = redis.call('HGET', use_key, '!moved')
if moved then
  return reply({ outcome = 'moved', into = moved })
end
local released = 0
local was_committed = is_committed(calculation_key)
if may_supersede(calculation_key, venue_id) then
  released = supersede(calculation_key, hold_key, held_key, holds_due_key, calculation_id, successor_id, retention_ms)
end
-- Also what an earlier try, or the commit of its successor, has left.
local common, ending = unpack(redis.call('HMGET', calculation_key, 'common', 'commonDue'))
return reply({ outcome = 'released', holds_released = released, is_committed = was_committed, common = ending == 'release' and common })
