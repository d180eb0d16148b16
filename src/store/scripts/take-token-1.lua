#!lua
-- Takes tokens of the environment's bucket (GCRA: the theoretical arrival time of the next call is all it stores).
--   KEYS[1]  rate
--   ARGV[1]  microseconds per token    ARGV[2]  burst this kind of call may use, in tokens
--   ARGV[3]  capacity of the bucket, in tokens
--   ARGV[4]  calls that want a token each
-- Returns { calls that get one, microseconds until the next token is there, now in ms }. A refused call takes nothing.
local interval, burst, capacity, wanted = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local latest = now + capacity * interval
local arrival = math.max(now, tonumber(redis.call('GET', KEYS[1]) or now))
local lifetime = math.ceil(capacity * interval / 1000) + 1000

-- An arrival further ahead than that of an empty bucket means that the clock was set back. The bucket then counts as
-- empty, and is stored so even when calls are refused; otherwise it would stay empty until the clock has caught up.
local was_ahead = arrival > latest
if was_ahead then
  arrival = latest
end

local granted = math.max(0, math.min(wanted, math.floor((now + burst * interval - arrival) / interval)))
arrival = arrival + granted * interval
if granted > 0 or was_ahead then
  redis.call('SET', KEYS[1], string.format('%.0f', arrival), 'PX', lifetime)
end
return { granted, math.max(0, math.ceil(arrival + interval - burst * interval - now)), math.floor(now / 1000) }
