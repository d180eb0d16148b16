#!lua
-- Leases tokens of the environment's bucket to a process (GCRA: the theoretical arrival time of the next call is all it stores).
--- @declared "environment"

local interval, burst, capacity = tonumber(interval_us), tonumber(burst), tonumber(capacity)
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local arrival = math.max(now, tonumber(redis.call('GET', rate_key) or now))

-- An arrival further ahead than that of an empty bucket means that the clock was set back. The bucket then counts as
-- empty, and is stored so even when calls are refused; otherwise it would stay empty until the clock has caught up.
local latest = now + capacity * interval
local was_ahead = arrival > latest
if was_ahead then
  arrival = latest
end

local level = math.max(0, math.floor((now + burst * interval - arrival) / interval))
local leased = math.min(tonumber(waiting), level)
local spare = level - leased - math.ceil(capacity / 2)
leased = leased + math.max(0, math.min(tonumber(ahead), math.floor(spare / 10)))
arrival = arrival + leased * interval
if leased > 0 or was_ahead then
  redis.call('SET', rate_key, string.format('%.0f', arrival), 'PX', math.ceil(capacity * interval / 1000) + 1000)
end
return reply({ leased = leased, wait_us = math.max(0, math.ceil(arrival + interval - burst * interval - now)) })
