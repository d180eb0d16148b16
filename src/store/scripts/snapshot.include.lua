--- @include "clock"
--- @include "holds"
-- More counters than this are not read whole: the caller asks for those that its programme names (read-counters).
local MOST_READ = 128

-- Units per usage key of the live holds, of which there may be many.
local function read_held(hold_key, held_key, due_key, now)
  if not is_counted(hold_key, held_key, due_key) then
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
--   0  few holds: all of them, and no sums
--   1  many holds: those of the wanted calculations, and the sums of all
--   2  so many counters that consumption and sums are left out
--   3  the same, with few holds: all of them
local function read_uses(use_key, hold_key, held_key, due_key, now, ids)
  local few = has_few(hold_key)
  local holds = few and redis.call('HGETALL', hold_key) or holds_of(hold_key, ids)
  if redis.call('HLEN', use_key) > MOST_READ or (not few and redis.call('HLEN', held_key) > MOST_READ) then
    return {}, holds, {}, few and 3 or 2
  end
  if few then
    return redis.call('HGETALL', use_key), holds, {}, 0
  end
  local held = {}
  for usage, units in pairs(read_held(hold_key, held_key, due_key, now)) do
    held[#held + 1] = usage
    held[#held + 1] = integer(units)
  end
  return redis.call('HGETALL', use_key), holds, held, 1
end
