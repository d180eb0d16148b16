#!lua
-- Notes that a process is there, and counts those that were noted lately.
--   KEYS[1]  processes
--   ARGV[1]  the process     ARGV[2]  milliseconds after which a process counts as gone
-- Returns the number of processes.
--- @include "clock"

local now = now_ms()
redis.call('ZADD', KEYS[1], integer(now), ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', integer(now - tonumber(ARGV[2])))
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return redis.call('ZCARD', KEYS[1])
