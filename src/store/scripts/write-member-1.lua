#!lua
-- Writes a member, replacing the stored one. An equal member is left untouched, so that a nightly import of all members
-- costs the append-only file and the replicas only the changes.
--   KEYS[1]  member
--   ARGV     field, value, field, value, …
-- Returns 1 when something changed, 0 when not.

local stored = redis.call('HGETALL', KEYS[1])
if #stored == #ARGV then
  local values = {}
  for index = 1, #stored, 2 do
    values[stored[index]] = stored[index + 1]
  end
  local is_same = true
  for index = 1, #ARGV, 2 do
    is_same = is_same and values[ARGV[index]] == ARGV[index + 1]
  end
  if is_same then
    return 0
  end
end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], unpack(ARGV))
return 1
