#!lua
-- Lists the grants whose end has come by Redis' clock, the earliest first.
--   KEYS[1]  grantsDue
--   ARGV[1]  most
-- Returns found: name, instant, …
--- @include "clock"

return redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', integer(now_ms()), 'WITHSCORES', 'LIMIT', 0, ARGV[1])
