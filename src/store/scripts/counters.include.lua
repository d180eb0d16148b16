-- Units consumed under a usage key. The version before this one did not mark counters of items: what it has written is read as
-- items, the unit that it was written under.
local function unmarked(usage)
  local name, count = string.gsub(usage, '#items:', ':', 1)
  return count > 0 and name or nil
end

local function consumed_units(use_key, usage)
  local before = unmarked(usage)
  return tonumber(redis.call('HGET', use_key, usage) or 0) + (before and tonumber(redis.call('HGET', use_key, before) or 0) or 0)
end
