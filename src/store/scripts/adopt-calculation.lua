#!lua
-- Writes a calculation of a merged member into the slot of the member that it was merged into. Safe to repeat: one that is there
-- stays as it is.
--- @include "clock"
--- @include "contents"
--- @include "holds"
--- @declared "owned-keys"

if redis.call('EXISTS', calculation_key, answer_key) > 0 then
  return reply({ is_written = false, has_hold = false })
end
local at = 1
for _, key in ipairs({ calculation_key, answer_key, unpack(others) }) do
  local kind, lifetime, count = unpack(contents, at, at + 2)
  write_content(key, kind, lifetime, contents, at + 3, at + 2 + tonumber(count))
  at = at + 3 + tonumber(count)
end
local now = now_ms()
local deadline, uses = string.match(hold, '^(%d+) (.*)$')
if hold == '' then
  -- It ended after the holds had come here.
  drop_holds(hold_key, held_key, holds_due_key, { calculation_id })
end
if not is_live(hold ~= '' and hold, now) or redis.call('HEXISTS', hold_key, calculation_id) == 1 then
  return reply({ is_written = true, has_hold = false })
end
put_hold(hold_key, held_key, holds_due_key, calculation_id, deadline, uses, hold_ms, now)
return reply({ is_written = true, has_hold = true })
