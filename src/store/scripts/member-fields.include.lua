-- The fields of a stored member, their number, and apart from them its moved clock, which no writer of members knows.
local function member_fields(member_key)
  local stored = redis.call('HGETALL', member_key)
  local values, count = {}, 0
  for index = 1, #stored, 2 do
    values[stored[index]] = stored[index + 1]
    count = count + 1
  end
  local clock = values.clock
  values.clock = nil
  return values, clock and count - 1 or count, clock
end

local function replace_member(member_key, fields, clock)
  redis.call('DEL', member_key)
  redis.call('HSET', member_key, unpack(fields))
  if clock then
    redis.call('HSET', member_key, 'clock', clock)
  end
end
