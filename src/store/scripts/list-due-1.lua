#!lua
-- Lists the calculations that are due by Redis' clock, the earliest first.
--   KEYS[1]  due
--   ARGV[1]  most
-- Returns calculationIds
--- @include "clock"

return redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', integer(now_ms()), 'LIMIT', 0, ARGV[1])
