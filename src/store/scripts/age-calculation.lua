#!lua
-- Makes a calculation older: its hold and all of its keys end sooner.
--- @include "age"
--- @include "clock"
--- @include "holds"
--- @declared "owned-keys"

local by_ms, least_ms = tonumber(by_ms), tonumber(least_ms)
local answer_ended = age_key(answer_key, by_ms, 0) == 0
local state, deadline = unpack(redis.call('HMGET', calculation_key, 'state', 'deadline'))
local is_open = state == 'open' and deadline
for _, key in ipairs(others) do
  age_key(key, by_ms, is_open and least_ms or 0)
end
if not state then
  return reply({ outcome = 'gone' })
end

local now = now_ms()
local hold_ended = false
local hold = redis.call('HGET', hold_key, calculation_id)
if is_live(hold, now) then
  local ends, uses = string.match(hold, '^(%d+)(.*)$')
  ends = tonumber(ends) - by_ms
  redis.call('HSET', hold_key, calculation_id, integer(ends) .. uses)
  redis.call('ZADD', holds_due_key, 'XX', integer(ends), calculation_id)
  hold_ended = ends <= now
end
redis.call('HINCRBY', calculation_key, 'aged', integer(by_ms))
if deadline then
  deadline = tonumber(deadline) - by_ms
  redis.call('HSET', calculation_key, 'deadline', integer(deadline))
end
age_key(calculation_key, by_ms, is_open and least_ms or 0)
if is_open then
  return reply({ outcome = 'open', hold_ended = hold_ended, answer_ended = answer_ended, left_ms = math.max(0, deadline - now) })
end
return reply({ outcome = 'aged', hold_ended = hold_ended, answer_ended = answer_ended })
