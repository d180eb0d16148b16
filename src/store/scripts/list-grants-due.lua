#!lua
-- Lists the grants whose end has come by Redis' clock, the earliest first.
--- @include "clock"
--- @declared "members"

return redis.call('ZRANGEBYSCORE', grants_due_key, '-inf', integer(now_ms()), 'WITHSCORES', 'LIMIT', 0, most)
