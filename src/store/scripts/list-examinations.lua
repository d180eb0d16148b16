#!lua
-- Lists the calculations that are due by Redis' clock, the earliest first.
--- @include "clock"
--- @declared "calculations"

return redis.call('ZRANGEBYSCORE', examinations_key, '-inf', integer(now_ms()), 'LIMIT', 0, most)
