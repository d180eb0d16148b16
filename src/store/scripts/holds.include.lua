-- A list of uses is text: `usageKey=units/limit`, separated by blanks. Calls visit(usageKey, units, limit) for each.
local function each_use(text, visit)
  for usage, units, limit in string.gmatch(text, '(%S+)=(%d+)/(%d+)') do
    visit(usage, tonumber(units), tonumber(limit))
  end
end

-- True for a present hold, `deadlineMs uses`, that has not ended.
local function is_live(hold, now)
  return hold and tonumber(string.match(hold, '^%d+')) > now
end

-- Units held per usage key by live holds of other calculations than `own` and `also`. A hold is `deadlineMs uses`; a
-- hold past its deadline is not counted, and is listed in `expired`.
local function held_by_others(hold_key, now, own, also)
  local held, expired = {}, {}
  local entries = redis.call('HGETALL', hold_key)
  for i = 1, #entries, 2 do
    local deadline, uses = string.match(entries[i + 1], '^(%d+) (.*)$')
    if tonumber(deadline) <= now then
      expired[#expired + 1] = entries[i]
    elseif entries[i] ~= own and entries[i] ~= also then
      each_use(uses, function(usage, units)
        held[usage] = (held[usage] or 0) + units
      end)
    end
  end
  return held, expired
end

-- Removes holds. A script that treats a hold as ended must remove it: the clock may be set back, and the hold would
-- count again.
local function drop_holds(hold_key, calculation_ids)
  for first = 1, #calculation_ids, 1000 do
    redis.call('HDEL', hold_key, unpack(calculation_ids, first, math.min(first + 999, #calculation_ids)))
  end
end
