#!lua
-- Writes a calculation of a merged member into the slot of the member that it was merged into. Safe to repeat: one that is there
-- stays as it is.
--   KEYS[1]  hold   KEYS[2]  held   KEYS[3]  holdsDue
--   KEYS[4]  calculation   KEYS[5]  answer   KEYS[6]  … others: its other keys (owned-keys.ts)
--   ARGV[1]  calculationId             ARGV[2]  holdMs
--   ARGV[3]  hold: its hold, or ''
--   ARGV[4]  … contents: of calculation, answer and others: kind, lifetime, number of words, words
-- Returns { isWritten 0|1, hasHold 0|1 }: whether the calculation was written, and whether its hold was
--- @include "clock"
--- @include "holds"
--- @include "contents"

local hold_key, held_key, holds_due_key, calculation_key, answer_key = unpack(KEYS)
local calculation_id, hold_ms, hold = unpack(ARGV, 1, 3)

if redis.call('EXISTS', calculation_key, answer_key) > 0 then
  return { 0, 0 }
end
local at = 4
for number = 4, #KEYS do
  local kind, lifetime, count = unpack(ARGV, at, at + 2)
  write_content(KEYS[number], kind, lifetime, at + 3, at + 2 + tonumber(count))
  at = at + 3 + tonumber(count)
end
local now = now_ms()
local deadline, uses = string.match(hold, '^(%d+) (.*)$')
if hold == '' then
  -- It ended after the holds had come here.
  drop_holds(hold_key, held_key, holds_due_key, { calculation_id })
end
if not is_live(hold ~= '' and hold, now) or redis.call('HEXISTS', hold_key, calculation_id) == 1 then
  return { 1, 0 }
end
put_hold(hold_key, held_key, holds_due_key, calculation_id, deadline, uses, hold_ms, now)
return { 1, 1 }
