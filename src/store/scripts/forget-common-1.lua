#!lua
-- Forgets soon that a calculation was consumed, because its record knows by now that nothing is left to be done.
--   KEYS[1]  settled
--   ARGV[1]  calculationId
--   ARGV[2]  knownMs: for how long a step that is still on its way is known as a repetition
-- Returns nothing of use.
--- @include "clock"

return redis.call('ZADD', KEYS[1], 'XX', integer(now_ms() + tonumber(ARGV[2])), ARGV[1])
