#!lua
-- Writes a calculation of a merged member into the slot of the member that it was merged into. Safe to repeat: one that is there
-- stays as it is.
--   KEYS[1]  calculation   KEYS[2]  answer   KEYS[3]  returns   KEYS[4]  hold   KEYS[5]  held   KEYS[6]  holdsDue
--   ARGV[1]  calculationId             ARGV[2]  hold time (ms)
--   ARGV[3]  its hold, or ''           ARGV[4]  its answer, or ''
--   ARGV[5]  ms that calc, ARGV[6] answer and ARGV[7] returns are kept
--   ARGV[8]  number of the arguments that follow of calc; then those of returns
-- Returns { 1 when it was written, 1 when its hold was }.
--- @include "clock"
--- @include "holds"

if redis.call('EXISTS', KEYS[1], KEYS[2]) > 0 then
  return { 0, 0 }
end
local count = tonumber(ARGV[8])
local function put(key, from, to, lifetime)
  for at = from, to, 2 do
    redis.call('HSET', key, ARGV[at], ARGV[at + 1])
  end
  if from < to and tonumber(lifetime) > 0 then
    redis.call('PEXPIRE', key, lifetime)
  end
end
put(KEYS[1], 9, 8 + count, ARGV[5])
put(KEYS[3], 9 + count, #ARGV, ARGV[7])
if ARGV[4] ~= '' and tonumber(ARGV[6]) > 0 then
  redis.call('SET', KEYS[2], ARGV[4], 'PX', ARGV[6])
end
local now = now_ms()
local deadline, uses = string.match(ARGV[3], '^(%d+) (.*)$')
if ARGV[3] == '' then
  -- It ended after the holds had come here.
  drop_holds(KEYS[4], KEYS[5], KEYS[6], { ARGV[1] })
end
if not is_live(ARGV[3] ~= '' and ARGV[3], now) or redis.call('HEXISTS', KEYS[4], ARGV[1]) == 1 then
  return { 1, 0 }
end
put_hold(KEYS[4], KEYS[5], KEYS[6], ARGV[1], deadline, uses, ARGV[2], now)
return { 1, 1 }
