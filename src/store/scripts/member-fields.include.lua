-- The fields of a stored member, their number, and apart from them those that no writer of members knows: its moved clock, and
-- the member that it was merged into.
local OWN_FIELDS = { 'clock', 'into' }

local function member_fields(member_key)
  local stored = redis.call('HGETALL', member_key)
  local values, count, kept = {}, 0, {}
  for index = 1, #stored, 2 do
    values[stored[index]] = stored[index + 1]
    count = count + 1
  end
  for _, name in ipairs(OWN_FIELDS) do
    if values[name] then
      kept[name], values[name], count = values[name], nil, count - 1
    end
  end
  return values, count, kept
end

local function replace_member(member_key, fields, kept)
  redis.call('DEL', member_key)
  redis.call('HSET', member_key, unpack(fields))
  for name, value in pairs(kept) do
    redis.call('HSET', member_key, name, value)
  end
end
