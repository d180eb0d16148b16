--- @include "clock"
--- @include "holds"
-- More counters than this are not read whole: the caller asks for those that its programme names (read-counters).
local MOST_READ = 128

-- Units per usage key of the live holds, of which there may be many.
local function read_held(hold_key, held_key, due_key, now)
  if not has_sums(hold_key, held_key, due_key) then
    return count_holds(hold_key, now, function() end)
  end
  local sums, fields = {}, redis.call('HGETALL', held_key)
  for i = 1, #fields, 2 do
    sums[fields[i]] = tonumber(fields[i + 1])
  end
  local due = due_holds(due_key, now)
  for _, hold in ipairs(#due > 0 and redis.call('HMGET', hold_key, unpack(due)) or {}) do
    add_units(sums, hold, -1)
  end
  return sums
end

local function holds_of(hold_key, ids)
  local own = {}
  for i, hold in ipairs(#ids > 0 and redis.call('HMGET', hold_key, unpack(ids)) or {}) do
    if hold then
      own[#own + 1] = ids[i]
      own[#own + 1] = hold
    end
  end
  return own
end

-- Consumption, holds and sums of holds, and what they are:
--   is_summed   there are many holds: those of the wanted calculations, and the sums of all; otherwise all holds, and no sums
--   is_partial  there are so many counters that consumption and sums are left out
local function read_uses(use_key, hold_key, held_key, due_key, now, ids)
  local is_summed = not has_few(hold_key)
  local holds = is_summed and holds_of(hold_key, ids) or redis.call('HGETALL', hold_key)
  if redis.call('HLEN', use_key) > MOST_READ or (is_summed and redis.call('HLEN', held_key) > MOST_READ) then
    return {}, holds, {}, is_summed, true
  end
  local held = {}
  for usage, units in pairs(is_summed and read_held(hold_key, held_key, due_key, now) or {}) do
    held[#held + 1] = usage
    held[#held + 1] = integer(units)
  end
  return redis.call('HGETALL', use_key), holds, held, is_summed, false
end
