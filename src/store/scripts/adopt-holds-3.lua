#!lua
-- Writes holds of a merged member beside those of the member that it is merged into, whose grants and limits they draw on from now on.
-- Safe to repeat: one that is there stays as it is.
--   KEYS[1]  hold   KEYS[2]  held   KEYS[3]  holdsDue
--   ARGV[1]  holdMs                    ARGV[2]  … holds: calculationId, its hold, …
-- Returns written: how many
--- @include "clock"
--- @include "holds"
local hold_key, held_key, holds_due_key = unpack(KEYS)

local now, written = now_ms(), 0
for at = 2, #ARGV, 2 do
  local deadline, uses = string.match(ARGV[at + 1], '^(%d+) (.*)$')
  if is_live(ARGV[at + 1], now) and redis.call('HEXISTS', hold_key, ARGV[at]) == 0 then
    put_hold(hold_key, held_key, holds_due_key, ARGV[at], deadline, uses, ARGV[1], now)
    written = written + 1
  end
end
return written
