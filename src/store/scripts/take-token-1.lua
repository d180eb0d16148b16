#!lua
-- Takes tokens of the environment's bucket.
--   KEYS[1]  rate
--   ARGV[1]  microseconds per token    ARGV[2]  burst this kind of call may use, in tokens
--   ARGV[3]  capacity of the bucket, in tokens
--   ARGV[4]  calls that want a token each
-- Returns { calls that get one, microseconds until the next token is there, now in ms }. A refused call takes nothing.
--- @include "bucket"

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local granted, wait = take_tokens(KEYS[1], now, tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]))
return { granted, wait, math.floor(now / 1000) }
