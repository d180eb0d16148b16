--- @include "counters"
-- Gives units of a counter back, no more than are consumed. Of the units past the limit the given ones are the first that are
-- no longer. Returns the units given back.
local function give_back(use_key, usage, units)
  -- A period that is over may be gone.
  local given = math.min(units, consumed_units(use_key, usage))
  if given <= 0 then
    return 0
  end
  redis.call('HINCRBY', use_key, usage, -given)
  local over = tonumber(redis.call('HGET', use_key, usage .. '!over') or 0)
  if over > 0 then
    redis.call('HINCRBY', use_key, usage .. '!over', -math.min(over, given))
  end
  return given
end
