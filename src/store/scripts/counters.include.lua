-- Units consumed under a usage key.
local function consumed_units(use_key, usage)
  return tonumber(redis.call('HGET', use_key, usage) or 0)
end
