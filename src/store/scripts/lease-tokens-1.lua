#!lua
-- Leases tokens of the environment's bucket to a process (GCRA: the theoretical arrival time of the next call is all it stores).
--   KEYS[1]  rate
--   ARGV[1]  intervalUs: per token     ARGV[2]  burst: tokens that this kind of call may use
--   ARGV[3]  capacity: of the bucket, in tokens
--   ARGV[4]  waiting: calls that wait for a token
--   ARGV[5]  ahead: tokens wanted beside theirs, for calls to come: at most a tenth of what is left above half of the bucket is given, so
--            that near the limit no process keeps tokens which another one could use
-- Returns { leased, waitUs }: tokens, and how long until the next one is there. A call that gets no token takes nothing.

local interval, burst, capacity = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local arrival = math.max(now, tonumber(redis.call('GET', KEYS[1]) or now))

-- An arrival further ahead than that of an empty bucket means that the clock was set back. The bucket then counts as
-- empty, and is stored so even when calls are refused; otherwise it would stay empty until the clock has caught up.
local latest = now + capacity * interval
local was_ahead = arrival > latest
if was_ahead then
  arrival = latest
end

local level = math.max(0, math.floor((now + burst * interval - arrival) / interval))
local leased = math.min(tonumber(ARGV[4]), level)
local spare = level - leased - math.ceil(capacity / 2)
leased = leased + math.max(0, math.min(tonumber(ARGV[5]), math.floor(spare / 10)))
arrival = arrival + leased * interval
if leased > 0 or was_ahead then
  redis.call('SET', KEYS[1], string.format('%.0f', arrival), 'PX', math.ceil(capacity * interval / 1000) + 1000)
end
return { leased, math.max(0, math.ceil(arrival + interval - burst * interval - now)) }
