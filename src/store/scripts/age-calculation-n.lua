#!lua
-- Makes a calculation older: its hold and all of its keys end sooner.
--   KEYS[1]  hold   KEYS[2]  held   KEYS[3]  holdsDue
--   KEYS[4]  calculation   KEYS[5]  answer   KEYS[6]  … others: its other keys (owned-keys.ts)
--   ARGV[1]  calculationId             ARGV[2]  byMs
--   ARGV[3]  leastMs: the least that is left of an open one's record, in which the sweep finds that it has ended
-- Returns one of
--   { 'aged', holdEnded 0|1, answerEnded 0|1 }   whether they have ended by this
--   { 'open', holdEnded 0|1, answerEnded 0|1, leftMs }   leftMs: until it has to be looked at for expiry
--   { 'gone' }  nothing is stored of it
--- @include "clock"
--- @include "age"
--- @include "holds"

local hold_key, held_key, holds_due_key, calculation_key, answer_key = unpack(KEYS)
local calculation_id, by_ms, least_ms = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])

local answer_ended = age_key(answer_key, by_ms, 0) == 0 and 1 or 0
local state, deadline = unpack(redis.call('HMGET', calculation_key, 'state', 'deadline'))
local is_open = state == 'open' and deadline
for number = 6, #KEYS do
  age_key(KEYS[number], by_ms, is_open and least_ms or 0)
end
if not state then
  return { 'gone' }
end

local now = now_ms()
local hold_ended = 0
local hold = redis.call('HGET', hold_key, calculation_id)
if is_live(hold, now) then
  local ends, uses = string.match(hold, '^(%d+)(.*)$')
  ends = tonumber(ends) - by_ms
  redis.call('HSET', hold_key, calculation_id, integer(ends) .. uses)
  redis.call('ZADD', holds_due_key, 'XX', integer(ends), calculation_id)
  hold_ended = ends <= now and 1 or 0
end
redis.call('HINCRBY', calculation_key, 'aged', integer(by_ms))
if deadline then
  deadline = tonumber(deadline) - by_ms
  redis.call('HSET', calculation_key, 'deadline', integer(deadline))
end
age_key(calculation_key, by_ms, is_open and least_ms or 0)
if is_open then
  return { 'open', hold_ended, answer_ended, math.max(0, deadline - now) }
end
return { 'aged', hold_ended, answer_ended }
