#!lua
-- Writes holds of a merged member beside those of the member that it is merged into, whose grants and limits they draw on from now on.
-- Safe to repeat: one that is there stays as it is.
--- @include "clock"
--- @include "holds"
--- @declared "merges"

local now, written = now_ms(), 0
for at = 1, #holds, 2 do
  local calculation_id, hold = holds[at], holds[at + 1]
  if is_live(hold, now) and redis.call('HEXISTS', hold_key, calculation_id) == 0 then
    local deadline, uses = string.match(hold, '^(%d+) (.*)$')
    put_hold(hold_key, held_key, holds_due_key, calculation_id, deadline, uses, hold_ms, now)
    written = written + 1
  end
end
return written
