#!lua
-- Takes one token of the environment's bucket (GCRA: the theoretical arrival time of the next call is all it stores).
--   KEYS[1]  rate
--   ARGV[1]  microseconds per token    ARGV[2]  burst this kind of call may use, in tokens
--   ARGV[3]  capacity of the bucket, in tokens
-- Returns { allowed 0|1, microseconds until a token is there, now in ms }. A refused call takes nothing.
local interval, burst, capacity = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local latest = now + capacity * interval
local arrival = math.max(now, tonumber(redis.call('GET', KEYS[1]) or now))
local lifetime = math.ceil(capacity * interval / 1000) + 1000

-- An arrival further ahead than an empty bucket means that the clock was set back. The bucket is taken for empty and
-- stored as such, refused or not: else it would stay empty until the clock has caught up.
if arrival > latest then
  arrival = latest
  redis.call('SET', KEYS[1], string.format('%.0f', arrival), 'PX', lifetime)
end

local wait = arrival + interval - burst * interval - now
if wait > 0 then
  return { 0, math.ceil(wait), math.floor(now / 1000) }
end
redis.call('SET', KEYS[1], string.format('%.0f', arrival + interval), 'PX', lifetime)
return { 1, 0, math.floor(now / 1000) }
