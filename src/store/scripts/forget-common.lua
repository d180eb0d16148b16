#!lua
-- Forgets soon that a calculation was consumed, because its record knows by now that nothing is left to be done.
--- @include "clock"
--- @declared "common-limits"

redis.call('ZADD', settled_key, 'XX', integer(now_ms() + tonumber(known_ms)), calculation_id)
