#!lua
-- Removes a calculation that was looked at, unless a call has noted it again meanwhile.
--- @include "clock"
--- @declared "calculations"

local noted = redis.call('ZSCORE', examinations_key, calculation_id)
if noted and tonumber(noted) <= now_ms() then
  redis.call('ZREM', examinations_key, calculation_id)
end
