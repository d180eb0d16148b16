--- @include "clock"
-- Lets a key end sooner by so many milliseconds, but leaves it `least` of the time that it has. A key whose time is over is
-- removed. Returns the milliseconds left; below 0 for a key that is not there, or that has no end.
local function age_key(key, by_ms, least_ms)
  local left = redis.call('PTTL', key)
  if left < 0 then
    return left
  end
  left = math.max(math.min(left, least_ms), left - by_ms)
  -- Redis removes a key whose time is 0.
  redis.call('PEXPIRE', key, integer(left))
  return left
end
