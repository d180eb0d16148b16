--- @include "holds"
--- @include "consumption"
-- Books the uses of a sale. `held_units` tells what others hold, of a sale that came without a hold of its own; nil or false
-- otherwise. Returns the units past the limits.
local function book_uses(use_key, uses, held_units, now, retention_ms)
  local over, written = 0, 0
  each_use(uses, function(usage, units, limit)
    written = written + 1
    local consumed = consume(use_key, usage, units, now, retention_ms)
    local before = tonumber(redis.call('HGET', use_key, usage .. '!over') or 0)
    local beyond = held_units and consumed + held_units(usage) - limit - before or 0
    if beyond > 0 then
      redis.call('HINCRBY', use_key, usage .. '!over', beyond)
      over = over + beyond
    end
  end)
  drop_ended(use_key, written, now, retention_ms)
  return over
end
