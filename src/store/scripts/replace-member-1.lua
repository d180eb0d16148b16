#!lua
-- Replaces a member while the stored one is as the caller read it.
--   KEYS[1]  member
--   ARGV[1]  number of the arguments that follow of the member as it was read
--   ARGV     field, value, … of that member, then field, value, … of the new one
-- Returns 1 when the member was replaced, 0 when another one is stored.

local stored = redis.call('HGETALL', KEYS[1])
local expected = tonumber(ARGV[1])
if #stored ~= expected then
  return 0
end
local values = {}
for index = 1, #stored, 2 do
  values[stored[index]] = stored[index + 1]
end
for index = 2, expected + 1, 2 do
  if values[ARGV[index]] ~= ARGV[index + 1] then
    return 0
  end
end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], unpack(ARGV, expected + 2))
return 1
