#!lua
-- Removes a calculation that was looked at, unless a call has noted it again meanwhile.
--   KEYS[1]  due
--   ARGV[1]  calculationId
-- Returns isForgotten: 1 when it was removed, 0 when not
--- @include "clock"

local noted = redis.call('ZSCORE', KEYS[1], ARGV[1])
if noted and tonumber(noted) <= now_ms() then
  return redis.call('ZREM', KEYS[1], ARGV[1])
end
return 0
