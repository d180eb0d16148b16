#!lua
-- Removes a calculation that was looked at, unless a call has noted it again meanwhile.
--- @include "clock"
--- @declared "calculations"

local noted = redis.call('ZSCORE', due_key, calculation_id)
if noted and tonumber(noted) <= now_ms() then
  redis.call('ZREM', due_key, calculation_id)
end
