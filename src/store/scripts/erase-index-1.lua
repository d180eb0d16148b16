#!lua
-- Removes an index entry of a member. An entry that another member has taken over stays.
--   KEYS[1]  index
--   ARGV[1]  member
-- Returns isErased: 1 when it was removed, 0 when not
local present = redis.call('GET', KEYS[1])
if present and string.match(present, '^(%S+) ') == ARGV[1] then
  return redis.call('DEL', KEYS[1])
end
return 0
