#!lua
-- Makes a calculation older: its hold, its answer and its record end sooner.
--   KEYS[1]  calculation   KEYS[2]  answer   KEYS[3]  hold   KEYS[4]  held   KEYS[5]  holdsDue
--   ARGV[1]  calculationId             ARGV[2]  milliseconds
--   ARGV[3]  the least that is left of an open one's record (ms), in which the sweep finds that it has ended
-- Returns one of
--   { 'aged', hold has ended by this 0|1, answer has ended by this 0|1 }
--   { 'open', the same two, milliseconds until it has to be looked at for expiry }
--   { 'gone' }  nothing is stored of it
--- @include "clock"
--- @include "age"
--- @include "holds"

local by_ms = tonumber(ARGV[2])
local answer_ended = age_key(KEYS[2], by_ms, 0) == 0 and 1 or 0
local state, deadline = unpack(redis.call('HMGET', KEYS[1], 'state', 'deadline'))
if not state then
  return { 'gone' }
end

local now = now_ms()
local hold_ended = 0
local hold = redis.call('HGET', KEYS[3], ARGV[1])
if is_live(hold, now) then
  local ends, uses = string.match(hold, '^(%d+)(.*)$')
  ends = tonumber(ends) - by_ms
  redis.call('HSET', KEYS[3], ARGV[1], integer(ends) .. uses)
  redis.call('ZADD', KEYS[5], 'XX', integer(ends), ARGV[1])
  hold_ended = ends <= now and 1 or 0
end
local is_open = state == 'open' and deadline
redis.call('HINCRBY', KEYS[1], 'aged', integer(by_ms))
if deadline then
  deadline = tonumber(deadline) - by_ms
  redis.call('HSET', KEYS[1], 'deadline', integer(deadline))
end
age_key(KEYS[1], by_ms, is_open and tonumber(ARGV[3]) or 0)
if is_open then
  return { 'open', hold_ended, answer_ended, math.max(0, deadline - now) }
end
return { 'aged', hold_ended, answer_ended }
